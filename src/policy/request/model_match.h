// Does a user's word for a model mean this card?
#pragma once

#include <string_view>

#include "policy/request/request.h"

namespace warpshare::request {

// In either case of letters. kWords: the wish stands in the name with no letter or digit right
// before or after it, so that "A10" is not "NVIDIA A100".
bool IsModel(std::string_view model, std::string_view wish, ModelMatch match);

// Any model is allowed where none is wished for; an avoided one never is.
bool AllowsModel(const CardWishes& wishes, std::string_view model);

}  // namespace warpshare::request
