#include "apps/warpshare/cluster/card_words.h"

#include <algorithm>

#include "policy/request/compute_words.h"

namespace warpshare::app {

std::string MemoryOfText(Bytes part, Bytes whole) { return Rounded(part) + " / " + Rounded(whole); }

std::string CoresOfText(uint64_t part, uint64_t whole) {
  return std::to_string(part) + " / " + std::to_string(whole) + " %";
}

std::string CoresText(uint32_t percent) {
  return percent == 0 ? "-" : std::to_string(percent) + " %";
}

std::string PercentText(Bytes part, Bytes whole) {
  if (whole == 0_B) return "";
  const auto product = static_cast<unsigned __int128>(part.count()) * 100;
  return std::to_string(static_cast<uint64_t>(product / whole.count())) + "%";
}

std::string ModeText(const request::CardGrant& grant) {
  if (grant.whole) return "whole";
  std::string text(request::ComputeWord(grant.compute));
  if (grant.compute.weight != 1) text += " " + std::to_string(grant.compute.weight);
  return text;
}

std::string WantedText(const request::ContainerRequest& container) {
  if (container.whole) return Counted(container.cards, "whole card", "whole cards");
  std::string text = Counted(container.cards, "card", "cards") + " with ";
  text += container.memory.is_share() ? container.memory.Text() + " of its memory"
                                      : container.memory.Text();
  if (container.cores_percent != 0)
    text += " and " + std::to_string(container.cores_percent) + " % of its time";
  return text;
}

std::string WantedText(const request::Request& request) {
  const auto wants = [](const auto& container) { return container.cards != 0; };
  const bool is_one = std::ranges::count_if(request.containers, wants) == 1;
  std::string text;
  for (const request::ContainerRequest& container : request.containers) {
    if (!wants(container)) continue;
    text +=
        (text.empty() ? "" : "; ") + (is_one ? "" : container.name + ": ") + WantedText(container);
  }
  return text;
}

std::string Counted(uint64_t number, const char* one, const char* more) {
  return std::to_string(number) + " " + (number == 1 ? one : more);
}

}  // namespace warpshare::app
