#include "apps/warpshare/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "apps/warpshare/arguments.h"
#include "apps/warpshare/cluster/explain_command.h"
#include "apps/warpshare/cluster/inspect_command.h"
#include "apps/warpshare/complaint.h"
#include "apps/warpshare/completion_command.h"
#include "apps/warpshare/compute_words.h"
#include "apps/warpshare/doctor_command.h"
#include "apps/warpshare/help_text.h"
#include "apps/warpshare/options.h"
#include "apps/warpshare/ps_command.h"
#include "apps/warpshare/run_command.h"
#include "apps/warpshare/set_command.h"
#include "apps/warpshare/spelling.h"
#include "apps/warpshare/top_command.h"
#include "types/printable.h"

namespace warpshare::app {

namespace {

// The longest a person waits between two pictures, and the shortest that is no burden.
constexpr double kMinInterval = 0.1;
constexpr double kMaxInterval = 3600;

// CLI11 does not know of arguments that are not its own.
class RunFormatter final : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string name) const override {
    return "Usage: " + name + " [OPTIONS] -- PROGRAM [ARG ...]\n";
  }
};

// kubectl runs a program of this name for `kubectl warpshare`.
constexpr std::string_view kPluginName = "kubectl-warpshare";

// Of `set`, which can lift what is there.
constexpr char kSizeOrNone[] = "SIZE|none";

// What a program is called, and so which of its faces it shows.
enum class Face {
  kProgram,  // all commands
  kPlugin,   // of kubectl: those that look at a cluster
};

struct Program {
  explicit Program(Face face);

  const Face face;
  CLI::App app{face == Face::kPlugin ? kPluginSummary : kSummary,
               face == Face::kPlugin ? "kubectl warpshare" : "warpshare"};
  RunOptions run;
  PsOptions ps;
  TopOptions top;
  SetOptions set;
  DoctorOptions doctor;
  InspectOptions inspect;
  ExplainOptions explain;
  std::string shell;
  std::vector<std::string> misplaced;  // a program to run, but before any --
  std::function<int()> action;

 private:
  CLI::App* Add(const char* name, const char* description, const char* examples,
                std::function<int()> done);
  void AddRun();
  void AddPs();
  void AddTop();
  void AddSet();
  void AddDoctor();
  void AddInspect();
  void AddExplain();
  void AddCompletion();
};

// For completion; what is taken is compute_words.h's matter.
std::vector<std::string> ValuesOf(const CLI::Option& option) {
  if (option.check_lname("policy"))
    return {"hard",    "soft",    "weighted", "priority", "none",
            "average", "preempt", "fixed",    "weak",     "native"};
  if (option.check_lname("memory") && option.get_type_name() == kSizeOrNone)
    return {kNoMemoryLimit};
  if (option.check_lname("priority")) return {"high", "low"};
  if (option.check_lname("output")) return {"wide", "json"};
  return {};
}

OptionModel ModelOf(const CLI::Option& option) {
  OptionModel model = {.names = {},
                       .description = option.get_description(),
                       .takes_value = option.get_items_expected_max() > 0,
                       .words = ValuesOf(option)};
  for (const std::string& name : option.get_lnames()) model.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) model.names.push_back("-" + name);
  return model;
}

CommandModel ModelOf(const CLI::App& app) {
  CommandModel model = {.name = app.get_name(),
                        .description = app.get_description(),
                        .options = {},
                        .commands = {},
                        .words = {},
                        .words_from = {}};
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional()) model.options.push_back(ModelOf(*option));
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) model.commands.push_back(ModelOf(*command));
  if (model.name == "completion") model.words = {"bash", "zsh", "fish"};
  if (model.name == "inspect") model.words = {"nodes", "cards", "pods"};
  if (model.name == "explain")
    model.words_from = "kubectl get pods --no-headers -o custom-columns=:metadata.name";
  if (model.name == "set") model.words_from = "warpshare ps --quiet";
  model.runs_program = model.name == "run";
  return model;
}

int PrintCompletion(const Program& program) {
  const auto script = CompletionScript(ModelOf(program.app), program.shell);
  if (!script)
    return ExitUsage("no completion for '" + Printable(program.shell) +
                     "': name bash, zsh or fish");
  std::fputs(script->c_str(), stdout);
  return kSuccess;
}

void AddCluster(CLI::App& command, ClusterOptions& options) {
  command.add_option("-n,--namespace", options.space, "Namespace of pods")->type_name("NAME");
  CLI::Option* kubeconfig = command
                                .add_option("--kubeconfig", options.kubeconfig,
                                            "How to reach the API server; else as kubectl finds it")
                                ->type_name("FILE");
  CLI::Option* context =
      command
          .add_option("--context", options.context, "Of the kubeconfig, instead of the current one")
          ->type_name("NAME");
  command
      .add_option("--server", options.server,
                  "An API server that wants no credentials, as kubectl proxy's")
      ->type_name("URL")
      ->excludes(kubeconfig)
      ->excludes(context);
}

void AddOutput(CLI::App& command, ClusterOptions& options) {
  command.add_option("-o,--output", options.output, "More columns, or JSON")
      ->type_name("wide|json")
      ->check(CLI::IsMember({"wide", "json"}));
}

Program::Program(Face shown) : face(shown) {
  app.set_version_flag("--version", "warpshare " WARPSHARE_VERSION, "Print the version");
  app.set_help_flag("--help,-h", "Print this help");
  app.require_subcommand(0, 1);  // none, or a wrong one, is refused in our own words
  app.footer(face == Face::kPlugin ? kPluginFooter : kFooter);
  if (face == Face::kProgram) {
    AddRun();
    AddPs();
    AddTop();
    AddSet();
    AddDoctor();
  }
  AddInspect();
  AddExplain();
  AddCompletion();
  if (face == Face::kPlugin)
    app.get_subcommand("completion")->group("");  // for kubectl_complete-warpshare alone
}

CLI::App* Program::Add(const char* name, const char* description, const char* examples,
                       std::function<int()> done) {
  CLI::App* command = app.add_subcommand(name, description);
  command->set_help_flag("--help,-h", "Print this help");
  command->footer(examples);
  command->callback([this, done = std::move(done)] { action = done; });
  return command;
}

void AddCompute(CLI::App& command, ComputeWords& words) {
  command.add_option("--cores", words.cores, "GPU time on each card, in percent: 30, 12.5")
      ->type_name("PERCENT");
  command
      .add_option("--policy", words.policy,
                  "hard, soft, weighted, priority or none; or cGPU's average, preempt, fixed, "
                  "weak, native")
      ->type_name("WORD");
  command
      .add_option("--weight", words.weight, "Part of the time that is shared by weight: 1 to 16")
      ->type_name("N");
  command.add_option("--priority", words.priority, "high goes first, low waits for it")
      ->type_name("high|low");
  command.add_option("--burst", words.burst, "GPU time that it may save up while idle: 50ms")
      ->type_name("TIME");
  command
      .add_option("--latency-target", words.latency_target,
                  "Having waited so long, it moves up: 5ms; 0 for never")
      ->type_name("TIME");
}

void Program::AddRun() {
  CLI::App* command = Add("run", kRunSummary, kRunExamples, [this] { return Run(run); });
  command
      ->add_option("--gpu", run.cards, "A card, by its nvidia-smi index or uuid; may be repeated")
      ->type_name("I|UUID")
      ->allow_extra_args(false);
  command->add_option("--memory", run.memory, "Memory on each card: 4GiB, 512MiB, 50%")
      ->type_name("SIZE");
  AddCompute(*command, run.compute);
  command->add_option("--name", run.name, "Name of the tenant; runs of one name share it")
      ->type_name("NAME");
  command->add_flag("--sim", run.simulated, "Use the simulated GPU");
  command->add_flag(
      "--preload", run.preload,
      "Preload the interposer too, for programs that find the driver in their own way");
  command->add_option("PROGRAM", misplaced)->group("");  // not shown
  command->formatter(std::make_shared<RunFormatter>());
}

void Program::AddPs() {
  CLI::App* command = Add("ps", kPsSummary, kPsExamples, [this] { return Ps(ps); });
  command->add_flag("--json", ps.json, "Print JSON");
  command->add_flag("--quiet,-q", ps.names_only, "Print names only");
}

// CLI11's own takes what is no number for one in range.
std::string CheckInterval(const std::string& text) {
  double seconds = 0;
  const bool is_read = CLI::detail::lexical_cast(text, seconds);
  const bool is_fine = is_read && seconds >= kMinInterval && seconds <= kMaxInterval;
  return is_fine ? "" : "'" + text + "' is no number of seconds from 0.1 to 3600";
}

void Program::AddTop() {
  CLI::App* command = Add("top", kTopSummary, kTopExamples, [this] { return Top(top); });
  command->add_flag("--once", top.once, "Print once and end");
  command->add_flag("--json", top.json, "Print JSON; with --interval again and again, a line each");
  command->add_option("--interval", top.interval_seconds, "Seconds between two pictures (1)")
      ->type_name("SECONDS")
      ->check(CheckInterval);
}

void Program::AddSet() {
  CLI::App* command = Add("set", kSetSummary, kSetExamples, [this] { return Set(set); });
  command->add_option("name", set.name, "Name of the tenant")->type_name("NAME")->required();
  command->add_option("--memory", set.memory, "Memory on each card: 6GiB, 50%; none for no limit")
      ->type_name(kSizeOrNone);
  AddCompute(*command, set.compute);
  command->add_option("--gpu", set.card, "Only on this card, by index or uuid")
      ->type_name("I|UUID");
}

void Program::AddDoctor() {
  CLI::App* command =
      Add("doctor", kDoctorSummary, kDoctorExamples, [this] { return Doctor(doctor); });
  command->add_flag("--json", doctor.json, "Print JSON");
  command->add_flag("--sim", doctor.simulated, "Check with the simulated GPU");
}

void Program::AddInspect() {
  CLI::App* command =
      Add("inspect", kInspectSummary, kInspectExamples, [this] { return Inspect(inspect); });
  command->add_option("what", inspect.what, "nodes (without a word), cards or pods")
      ->type_name("nodes|cards|pods")
      ->check(CLI::IsMember({"nodes", "cards", "pods"}));
  command->add_option("--node", inspect.node, "This node only")->type_name("NAME");
  AddCluster(*command, inspect.cluster);
  AddOutput(*command, inspect.cluster);
}

void Program::AddExplain() {
  CLI::App* command =
      Add("explain", kExplainSummary, kExplainExamples, [this] { return Explain(explain); });
  command->add_option("pod", explain.pod, "Name of the pod")->type_name("POD")->required();
  command
      ->add_option("--quotas", explain.quotas,
                   "The ConfigMap with the namespaces' quotas, or \"\" for none")
      ->type_name("NAMESPACE/NAME")
      ->capture_default_str();
  AddCluster(*command, explain.cluster);
  AddOutput(*command, explain.cluster);
}

void Program::AddCompletion() {
  CLI::App* command = Add("completion", kCompletionSummary, kCompletionExamples,
                          [this] { return PrintCompletion(*this); });
  command->add_option("shell", shell, "bash, zsh or fish")->type_name("SHELL")->required();
}

// The words after the first "--" are another program's: the parser does not see them.
struct SplitWords {
  std::vector<std::string> ours;  // last word first, as CLI11 takes them
  std::vector<std::string> program;
};

SplitWords Split(int argc, char** argv) {
  SplitWords words;
  char** const end = argv + argc;
  char** const dashes =
      std::find_if(argv, end, [](const char* word) { return std::strcmp(word, "--") == 0; });
  words.ours.assign(std::make_reverse_iterator(dashes), std::make_reverse_iterator(argv + 1));
  if (dashes != end) words.program.assign(dashes + 1, end);
  return words;
}

std::vector<std::string> OptionsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> CommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

// CLI11 says of a word only that it was not expected.
std::string NotKnown(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  const bool is_before = chosen.empty() || !program.remaining().empty();
  const CLI::App& app = is_before ? program : *chosen[0];
  const std::string word = app.remaining()[0];
  const bool is_option = word.starts_with('-');
  if (!is_option && !is_before) return "'" + Printable(word) + "' is a word too many";
  if (is_option && is_before && !chosen.empty())
    return "put '" + Printable(word) + "' after '" + chosen[0]->get_name() + "'";
  const auto meant =
      NearestWord(word.substr(0, word.find('=')), is_option ? OptionsOf(app) : CommandsOf(app));
  return (is_option ? "no option '" : "no command '") + Printable(word) + "'" +
         (meant ? " (did you mean " + *meant + "?)" : "");
}

int Refuse(const CLI::App& app, const std::string& reason) {
  const auto chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : " " + chosen[0]->get_name();
  return ExitUsage(Printable(reason) + ": see: " + app.get_name() + command + " --help");
}

// What no option by itself can see; empty if all is well.
std::string Misuse(const Program& program) {
  if (!program.action) return "no command given";
  if (program.face == Face::kPlugin)
    return program.run.command.empty() ? "" : "nothing may follow after --";
  const bool runs = program.app.got_subcommand("run");
  if (!program.misplaced.empty()) return "put -- before '" + Printable(program.misplaced[0]) + "'";
  if (runs && program.run.command.empty()) return "no program given after --";
  if (!runs && !program.run.command.empty()) return "nothing may follow after --";
  const bool sets = program.app.got_subcommand("set");
  if (sets && !program.set.memory && !IsAnySaid(program.set.compute))
    return "nothing to change: say --memory, --cores, --policy or another limit";
  return "";
}

Face FaceOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1) == kPluginName ? Face::kPlugin : Face::kProgram;
}

std::function<int()> Ended(int exit_code) {
  return [exit_code] { return exit_code; };
}

}  // namespace

std::function<int()> ReadCommandLine(int argc, char** argv) {
  const auto program = std::make_shared<Program>(FaceOf(argv[0]));
  SplitWords words = Split(argc, argv);
  try {
    program->app.parse(std::move(words.ours));
  } catch (const CLI::Success& success) {
    return Ended(program->app.exit(success));
  } catch (const CLI::ExtrasError&) {
    return Ended(Refuse(program->app, NotKnown(program->app)));
  } catch (const CLI::ParseError& error) {
    return Ended(Refuse(program->app, error.what()));
  }
  program->run.command = std::move(words.program);
  if (const std::string reason = Misuse(*program); !reason.empty())
    return Ended(Refuse(program->app, reason));
  return [program] { return program->action(); };
}

}  // namespace warpshare::app
