// The cards that this node told the cluster of, in a file of the state folder. A card that the
// driver cannot read when the daemon starts again has pods and is counted by the scheduler: it is
// known from there, so that it stays and is unwell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/log_file/log_file.h"
#include "platform/nvml/nvml.h"

namespace warpshare::node {

// Those of the unreadable cards that the file tells of; each of them is logged, known or not. Then
// writes the file anew, with these and the readable ones. The state folder is in memory, so what
// was taken out of the machine is forgotten with its next start.
std::vector<platform::Card> RecallLostCards(const std::string& path, const platform::CardList& list,
                                            platform::Log& log);

// What is in the file. Lines that make no sense are left out: such a card is as one that was never
// told of.
std::vector<platform::Card> ParseKnownCards(std::string_view text);
std::string KnownCardsText(const std::vector<platform::Card>& cards);

}  // namespace warpshare::node
