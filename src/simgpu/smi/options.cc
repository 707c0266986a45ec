#include "simgpu/smi/options.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace simgpu::smi {
namespace {

constexpr unsigned kDefaultLoopMs = 5000;
constexpr unsigned kDefaultMonitorMs = 1000;
constexpr unsigned kMost = 1'000'000;

constexpr std::string_view kSections[] = {
    "MEMORY",  "UTILIZATION", "ECC",         "TEMPERATURE",      "POWER",           "CLOCK",
    "COMPUTE", "PIDS",        "PERFORMANCE", "SUPPORTED_CLOCKS", "PAGE_RETIREMENT", "ACCOUNTING"};

// An option and what follows it: after a '=', or as the next word.
struct Word {
  std::string_view name;
  std::optional<std::string> value;
};

class Parser {
 public:
  explicit Parser(std::span<const char* const> arguments) : rest_(arguments) {}

  OptionsOrError Parse() {
    while (!rest_.empty() && result_.error.empty()) {
      Word word = Split(rest_.front());
      rest_ = rest_.subspan(1);
      Take(&word);
    }
    if (result_.error.empty()) Check();
    return std::move(result_);
  }

 private:
  static Word Split(std::string_view argument) {
    const size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    if (equals == std::string_view::npos) return {argument, std::nullopt};
    return {argument.substr(0, equals), std::string(argument.substr(equals + 1))};
  }

  static bool IsOneOf(std::string_view name, std::string_view one, std::string_view other) {
    return name == one || name == other;
  }

  void Take(Word* word) {
    const bool is_known = IsMonitor() ? TakeMonitor(word) || TakeRest(word)
                                      : TakeReport(*word) || TakeQuery(word) || TakeLoop(word) ||
                                            TakeDetails(word) || TakeRest(word);
    if (!is_known) {
      Fail("unknown option \"" + std::string(word->name) + "\"; see simgpu-smi --help");
    }
  }

  // Options without a value, which choose what is shown.
  bool TakeReport(const Word& word) {
    Options& options = result_.options;
    if (IsOneOf(word.name, "-L", "--list-gpus")) {
      options.report = Report::kList;
    } else if (IsOneOf(word.name, "-q", "--query") || word.name == "-a") {
      options.report = Report::kDetails;
    } else if (IsOneOf(word.name, "-h", "--help")) {
      options.report = Report::kHelp;
    } else if (IsOneOf(word.name, "--help-query-gpu", "--help-query-compute-apps")) {
      options.report = Report::kHelpFields;
    } else if (word.name == "--version") {
      options.report = Report::kVersion;
    } else if (word.name == "topo") {
      options.report = Report::kTopology;
      if (!rest_.empty() && IsOneOf(rest_.front(), "-m", "--matrix")) rest_ = rest_.subspan(1);
    } else if (IsOneOf(word.name, "dmon", "pmon")) {
      const bool of_cards = word.name == "dmon";
      options.report = of_cards ? Report::kCardMonitor : Report::kProcessMonitor;
      options.metrics = of_cards ? "puc" : "u";
      options.loop_ms = kDefaultMonitorMs;
    } else {
      return false;
    }
    return true;
  }

  bool TakeQuery(Word* word) {
    if (word->name == "--format") {
      TakeFormat(SplitAtCommas(Value(word)));
      return true;
    }
    if (word->name == "--query-gpu") {
      result_.options.report = Report::kCards;
    } else if (IsOneOf(word->name, "--query-compute-apps", "--query-apps")) {
      result_.options.report = Report::kProcesses;
    } else {
      return false;
    }
    result_.options.fields = SplitAtCommas(Value(word));
    return true;
  }

  bool TakeLoop(Word* word) {
    const bool seconds = IsOneOf(word->name, "-l", "--loop");
    if (!seconds && !IsOneOf(word->name, "-lms", "--loop-ms")) return false;
    const bool bare = !word->value && (rest_.empty() || rest_.front()[0] == '-');
    result_.options.loop_ms = bare ? kDefaultLoopMs : Number(word) * (seconds ? 1000 : 1);
    return true;
  }

  bool TakeDetails(Word* word) {
    if (IsOneOf(word->name, "-x", "--xml-format")) {
      result_.options.xml = true;
    } else if (IsOneOf(word->name, "-d", "--display")) {
      result_.options.sections = SplitAtCommas(Value(word));
    } else {
      return false;
    }
    return true;
  }

  bool IsMonitor() const {
    const Report report = result_.options.report;
    return report == Report::kCardMonitor || report == Report::kProcessMonitor;
  }

  bool TakeMonitor(Word* word) {
    Options& options = result_.options;
    if (IsOneOf(word->name, "-d", "--delay")) {
      options.loop_ms = Number(word) * 1000;
    } else if (IsOneOf(word->name, "-c", "--count")) {
      options.rounds = Number(word);
    } else if (IsOneOf(word->name, "-s", "--select")) {
      options.metrics = Value(word);
    } else if (IsOneOf(word->name, "-o", "--options")) {
      options.stamp = Value(word);
    } else if (IsOneOf(word->name, "-h", "--help")) {
      options.report = Report::kHelp;
    } else {
      return false;
    }
    return true;
  }

  bool TakeRest(Word* word) {
    Options& options = result_.options;
    if (IsOneOf(word->name, "-i", "--id")) {
      options.cards = SplitAtCommas(Value(word));
    } else if (IsOneOf(word->name, "-f", "--filename")) {
      options.file = Value(word);
    } else {
      return false;
    }
    return true;
  }

  void TakeFormat(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (word == "csv") continue;
      if (word == "noheader") {
        result_.options.header = false;
      } else if (word == "nounits") {
        result_.options.units = false;
      } else {
        Fail("--format takes csv, noheader and nounits, not \"" + word + "\"");
      }
    }
    has_format_ = true;
  }

  void Check() {
    const Options& options = result_.options;
    const bool query = options.report == Report::kCards || options.report == Report::kProcesses;
    if (query && options.fields.empty()) Fail("a query names at least one field");
    if (query && !has_format_) Fail("a query needs --format=csv");
    if (options.xml && options.report != Report::kDetails) Fail("-x goes with -q");
    for (const std::string& section : options.sections) {
      const bool known =
          std::find(std::begin(kSections), std::end(kSections), section) != std::end(kSections);
      if (!known) Fail("-d has no section \"" + section + "\"; see simgpu-smi --help");
    }
    if (options.stamp.find_first_not_of("DT") != std::string::npos) Fail("-o takes D, T or DT");
  }

  unsigned Number(Word* word) {
    const std::string text = Value(word);
    unsigned number = 0;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (bad != std::errc() || end != text.data() + text.size() || number == 0 || number > kMost) {
      Fail(std::string(word->name) + " takes a number from 1 to 1000000, not \"" + text + "\"");
    }
    return number;
  }

  std::string Value(Word* word) {
    if (!word->value && !rest_.empty()) {
      word->value = rest_.front();
      rest_ = rest_.subspan(1);
    }
    if (!word->value) Fail(std::string(word->name) + " needs a value");
    return word->value.value_or("");
  }

  void Fail(std::string error) {
    if (result_.error.empty()) result_.error = std::move(error);
  }

  std::span<const char* const> rest_;
  OptionsOrError result_;
  bool has_format_ = false;
};

}  // namespace

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> words;
  for (size_t from = 0; from <= text.size();) {
    size_t to = text.find(',', from);
    if (to == std::string::npos) to = text.size();
    std::string_view word = std::string_view(text).substr(from, to - from);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (!word.empty()) words.emplace_back(word);
    from = to + 1;
  }
  return words;
}

OptionsOrError ParseOptions(std::span<const char* const> arguments) {
  return Parser(arguments).Parse();
}

}  // namespace simgpu::smi
