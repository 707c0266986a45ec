#include "policy/share/static_share.h"

#include <algorithm>

namespace warpshare::share {

namespace {

constexpr uint64_t kLeastPermille = 10;

}  // namespace

uint64_t SumOfGuarantees(std::span<const Terms> terms) {
  uint64_t sum = 0;
  for (const Terms& one : terms)
    if (IsGuaranteed(one)) sum += one.share_permille;
  return sum;
}

std::vector<uint32_t> StaticShares(std::span<const Terms> terms) {
  const uint64_t left = kWholeCard - std::min<uint64_t>(SumOfGuarantees(terms), kWholeCard);
  uint64_t weights = 0;
  for (const Terms& one : terms)
    if (!IsGuaranteed(one)) weights += one.weight;
  std::vector<uint32_t> shares;
  for (const Terms& one : terms)
    shares.push_back(IsGuaranteed(one) ? one.share_permille
                                       : static_cast<uint32_t>(std::max(
                                             kLeastPermille, left * one.weight / weights)));
  return shares;
}

}  // namespace warpshare::share
