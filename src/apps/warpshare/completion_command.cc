#include "apps/warpshare/completion_command.h"

#include <algorithm>

namespace warpshare::app {

namespace {

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string OptionNames(const CommandModel& command, bool only_with_value) {
  std::vector<std::string> names;
  for (const OptionModel& option : command.options)
    if (option.takes_value || !only_with_value)
      names.insert(names.end(), option.names.begin(), option.names.end());
  return Joined(names);
}

std::string CommandNames(const CommandModel& program) {
  std::vector<std::string> names;
  for (const CommandModel& command : program.commands) names.push_back(command.name);
  return Joined(names);
}

// Inside single quotes of any of the shells; `extra` are characters that want a backslash.
std::string Quoted(const std::string& text, const std::string& extra) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') continue;
    if (extra.find(c) != std::string::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

void Append(std::string& script, std::initializer_list<std::string> pieces) {
  for (const std::string& piece : pieces) script += piece;
}

// The words that fit each command, as shell code that prints them.
std::string BashWords(const CommandModel& command) {
  std::string words = OptionNames(command, false);
  if (!command.words.empty()) words += " " + Joined(command.words);
  if (!command.words_from.empty()) words += " $(" + command.words_from + " 2>/dev/null)";
  return words;
}

// The same for the values of its options.
std::string BashValues(const CommandModel& command) {
  std::string script;
  for (const OptionModel& option : command.options)
    for (const std::string& name : option.names)
      if (!option.words.empty())
        Append(script, {"      if [[ $previous == ", name, " ]]; then\n",
                        "        mapfile -t COMPREPLY < <(compgen -W \"", Joined(option.words),
                        "\" -- \"$current\")\n        return\n      fi\n"});
  return script;
}

std::string BashScript(const CommandModel& program) {
  std::string script;
  Append(script, {R"(# bash completion of warpshare; made by: warpshare completion bash
_warpshare() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      ((COMP_CWORD > i + 1)) || mapfile -t COMPREPLY < <(compgen -c -- "$current")
      return
    fi
    [[ -n $command || ${COMP_WORDS[i]} == -* ]] || command=${COMP_WORDS[i]}
  done
  local words
  case $command in
    "") words=")",
                  CommandNames(program), " ", OptionNames(program, false), "\" ;;\n"});
  for (const CommandModel& command : program.commands) {
    Append(script, {"    ", command.name, ")\n"});
    Append(script, {BashValues(command)});
    if (const std::string valued = OptionNames(command, true); !valued.empty())
      Append(script, {"      [[ \" ", valued, " \" == *\" $previous \"* ]] && return\n"});
    Append(script, {"      words=\"", BashWords(command), "\" ;;\n"});
  }
  script += R"(    *) return ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _warpshare warpshare
)";
  return script;
}

// What follows the option's name and description.
std::string ZshValue(const OptionModel& option) {
  if (!option.takes_value) return "'";
  return option.words.empty() ? ":value: '" : ":value:(" + Joined(option.words) + ")'";
}

void AppendZshArguments(const CommandModel& command, std::string& script) {
  const std::string special = "[]:\\";
  Append(script, {"        ", command.name, ")\n          _arguments"});
  for (const OptionModel& option : command.options)
    for (const std::string& name : option.names)
      Append(script, {" \\\n            '*", name, "[", Quoted(option.description, special), "]",
                      ZshValue(option)});
  if (command.runs_program) script += " \\\n            '*::program:_normal'";
  if (!command.words.empty())
    Append(script, {" \\\n            '1:word:(", Joined(command.words), ")'"});
  if (!command.words_from.empty())
    Append(script, {" \\\n            \"1:name:(\\$(", command.words_from, " 2>/dev/null))\""});
  script += " ;;\n";
}

std::string ZshScript(const CommandModel& program) {
  std::string script = R"(#compdef warpshare
# zsh completion of warpshare; made by: warpshare completion zsh
_warpshare() {
  local curcontext=$curcontext state line
  local -a commands=(
)";
  for (const CommandModel& command : program.commands)
    Append(script, {"    '", command.name, ":", Quoted(command.description, ":\\"), "'\n"});
  script += "  )\n  _arguments -C";
  for (const OptionModel& option : program.options)
    for (const std::string& name : option.names)
      Append(script, {" '", name, "[", Quoted(option.description, "[]:\\"), "]'"});
  script += R"( '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
)";
  for (const CommandModel& command : program.commands) AppendZshArguments(command, script);
  script += "      esac ;;\n  esac\n}\n_warpshare \"$@\"\n";
  return script;
}

// "-l memory" for --memory, "-s h" for -h.
std::string FishName(const std::string& name) {
  return name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
}

std::string FishScript(const CommandModel& program) {
  std::string script =
      "# fish completion of warpshare; made by: warpshare completion fish\n"
      "complete -c warpshare -f\n";
  for (const CommandModel& command : program.commands) {
    const std::string seen =
        "complete -c warpshare -n '__fish_seen_subcommand_from " + command.name + "'";
    Append(script, {"complete -c warpshare -n __fish_use_subcommand -a ", command.name, " -d '",
                    Quoted(command.description, "\\"), "'\n"});
    for (const OptionModel& option : command.options) {
      script += seen;
      for (const std::string& name : option.names) script += FishName(name);
      Append(script, {option.takes_value ? " -x" : "",
                      option.words.empty() ? "" : " -a '" + Joined(option.words) + "'", " -d '",
                      Quoted(option.description, "\\"), "'\n"});
    }
    if (!command.words.empty()) Append(script, {seen, " -a '", Joined(command.words), "'\n"});
    if (!command.words_from.empty())
      Append(script, {seen, " -a '(", command.words_from, " 2>/dev/null)'\n"});
    if (command.runs_program) Append(script, {seen, " -F -a '(__fish_complete_command)'\n"});
  }
  return script;
}

}  // namespace

std::optional<std::string> CompletionScript(const CommandModel& program, const std::string& shell) {
  if (shell == "bash") return BashScript(program);
  if (shell == "zsh") return ZshScript(program);
  if (shell == "fish") return FishScript(program);
  return std::nullopt;
}

}  // namespace warpshare::app
