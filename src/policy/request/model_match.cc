#include "policy/request/model_match.h"

#include <algorithm>

namespace warpshare::request {

namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsWordCharacter(char c) {
  c = Lower(c);
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool StandsAlone(std::string_view text, size_t begin, size_t length) {
  const size_t end = begin + length;
  return (begin == 0 || !IsWordCharacter(text[begin - 1])) &&
         (end == text.size() || !IsWordCharacter(text[end]));
}

bool EqualAt(std::string_view text, size_t begin, std::string_view part) {
  for (size_t i = 0; i < part.size(); ++i)
    if (Lower(text[begin + i]) != Lower(part[i])) return false;
  return true;
}

}  // namespace

bool IsModel(std::string_view model, std::string_view wish, ModelMatch match) {
  if (wish.empty()) return false;
  for (size_t begin = 0; begin + wish.size() <= model.size(); ++begin) {
    if (!EqualAt(model, begin, wish)) continue;
    if (match == ModelMatch::kSubstring || StandsAlone(model, begin, wish.size())) return true;
  }
  return false;
}

bool AllowsModel(const CardWishes& wishes, std::string_view model) {
  const auto is_model = [&](const std::string& wish) {
    return IsModel(model, wish, wishes.model_match);
  };
  if (std::any_of(wishes.avoid_models.begin(), wishes.avoid_models.end(), is_model)) return false;
  return wishes.use_models.empty() ||
         std::any_of(wishes.use_models.begin(), wishes.use_models.end(), is_model);
}

}  // namespace warpshare::request
