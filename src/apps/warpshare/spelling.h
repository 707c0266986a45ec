// What somebody may have meant who wrote a word that there is not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpshare::app {

// The only one of the words that begins so, else the one that is the fewest slips away: letters too
// many, missing, wrong or swapped, one for every three letters. None: nothing is that near.
std::optional<std::string> NearestWord(std::string_view written,
                                       const std::vector<std::string>& words);

}  // namespace warpshare::app
