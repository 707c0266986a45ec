// Reads a scenario's text: "key = value" lines, "[card N]" and "[links]" sections, # comments. Card
// keys before the first section are the default for all cards.
#include <algorithm>
#include <string>
#include <utility>

#include "simgpu/world/scenario/card_keys.h"
#include "simgpu/world/scenario/quantity.h"

namespace simgpu::world {
namespace {

constexpr size_t kMaxXids = 64;

enum class Section { kTop, kCard, kLinks };

struct NamedLink {
  size_t a = 0;
  size_t b = 0;
  Link link;
};

class Parser {
 public:
  explicit Parser(std::string_view file_name) : file_name_(file_name) {}

  ScenarioResult Parse(std::string_view text) {
    for (line_ = 1; !text.empty() && error_.empty(); ++line_) {
      const size_t end = std::min(text.find('\n'), text.size());
      ReadLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (error_.empty()) Finish();
    return {std::move(scenario_), std::move(error_)};
  }

 private:
  void ReadLine(std::string_view line) {
    line = Trim(line.substr(0, line.find('#')));
    if (line.empty()) return;
    if (line.front() == '[') return ReadSection(line);
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return Refuse("\"" + std::string(line) + "\" is not \"key = value\"");
    }
    const std::string_view key = Trim(line.substr(0, equals));
    const std::string_view value = Trim(line.substr(equals + 1));
    std::string problem;
    const bool read = section_ == Section::kLinks ? ReadLinkLine(key, value, &problem)
                                                  : ReadSetting(key, value, &problem);
    if (!read) Refuse(std::string(key) + ": " + problem);
  }

  void ReadSection(std::string_view line) {
    if (line == "[links]") {
      section_ = Section::kLinks;
      return;
    }
    uint64_t index = 0;
    std::string ignored;
    if (line.substr(0, 6) != "[card " || line.back() != ']' ||
        !ParseCount(Trim(line.substr(6, line.size() - 7)), &index, &ignored) ||
        index >= kMaxCards) {
      return Refuse("\"" + std::string(line) + "\" is not a section: [card 0] to [card " +
                    std::to_string(kMaxCards - 1) + "], or [links]");
    }
    section_ = Section::kCard;
    card_ = index;
    MakeCards(index + 1);
  }

  void MakeCards(size_t count) {
    if (scenario_.cards.size() < count) scenario_.cards.resize(count, defaults_);
  }

  bool ReadSetting(std::string_view key, std::string_view value, std::string* problem) {
    CardSpec& target = section_ == Section::kCard ? scenario_.cards[card_] : defaults_;
    if (key == "xid") {
      if (target.xids.size() == kMaxXids) {
        *problem = "at most " + std::to_string(kMaxXids) + " a card";
        return false;
      }
      target.xids.emplace_back();
      return ReadXid(value, &target.xids.back(), problem);
    }
    for (const CardKey& known : CardKeys()) {
      if (key == known.name) return known.read(target, value, problem);
    }
    if (section_ == Section::kTop && key == "cards") return ReadCount(value, problem);
    if (section_ == Section::kTop && key == "driver_version") {
      scenario_.driver_version = value;
      return IsPlainText(value, problem);
    }
    *problem = "no such key here";
    return false;
  }

  bool ReadCount(std::string_view value, std::string* problem) {
    if (!ParseCount(value, &count_, problem)) return false;
    if (count_ <= kMaxCards) return count_given_ = true;
    *problem = "at most " + std::to_string(kMaxCards) + " cards";
    return false;
  }

  bool ReadLinkLine(std::string_view key, std::string_view value, std::string* problem) {
    const size_t dash = std::min(key.find('-'), key.size());
    NamedLink link;
    uint64_t a = 0;
    uint64_t b = 0;
    if (dash == key.size() || !ParseCount(Trim(key.substr(0, dash)), &a, problem) ||
        !ParseCount(Trim(key.substr(dash + 1)), &b, problem) || a == b || a >= kMaxCards ||
        b >= kMaxCards) {
      *problem = "a link is between two cards, such as 0-1";
      return false;
    }
    if (!ReadLink(value, &link.link, problem)) return false;
    link.a = a;
    link.b = b;
    links_.push_back(link);
    return true;
  }

  void Finish() {
    if (!count_given_ && scenario_.cards.empty()) count_ = 2;
    if (count_given_ && scenario_.cards.size() > count_) {
      error_ = file_name_ + ": cards = " + std::to_string(count_) + ", but there is a [card " +
               std::to_string(scenario_.cards.size() - 1) + "]";
      return;
    }
    MakeCards(count_);
    const size_t count = scenario_.cards.size();
    scenario_.links.assign(count * count, Link{LinkKind::kSelf, 0});
    for (const NamedLink& named : links_) {
      if (std::max(named.a, named.b) >= count) {
        error_ = file_name_ + ": [links] names card " + std::to_string(std::max(named.a, named.b)) +
                 ", but there are only " + std::to_string(count);
        return;
      }
      scenario_.links[named.a * count + named.b] = named.link;
      scenario_.links[named.b * count + named.a] = named.link;
    }
  }

  void Refuse(std::string problem) {
    error_ = file_name_ + ":" + std::to_string(line_) + ": " + std::move(problem);
  }

  const std::string file_name_;
  Scenario scenario_;
  std::string error_;
  CardSpec defaults_;
  Section section_ = Section::kTop;
  size_t card_ = 0;
  int line_ = 0;
  uint64_t count_ = 0;
  bool count_given_ = false;
  std::vector<NamedLink> links_;
};

}  // namespace

ScenarioResult ParseScenario(std::string_view text, std::string_view file_name) {
  return Parser(file_name).Parse(text);
}

}  // namespace simgpu::world
