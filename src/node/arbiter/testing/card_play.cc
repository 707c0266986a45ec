#include "node/arbiter/testing/card_play.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "node/arbiter/timing.h"

namespace warpshare::node {

namespace {

constexpr uint64_t kTickNs = 10 * kUs;
constexpr uint64_t kWakeNs = 20 * kUs;  // from an odd word to the process that saw it
constexpr uint64_t kEndless = UINT64_MAX;

}  // namespace

FakePages::FakePages(abi::ComputeMode mode, uint32_t share_permille, uint32_t weight) {
  abi::ComputeTermsV1& terms = card().compute;
  terms.mode = mode;
  terms.share_permille = share_permille;
  terms.weight = weight;
}

bool FakePages::Copy(uint64_t offset, std::span<std::byte> untrusted_copy) const {
  if (is_cut_short || offset + untrusted_copy.size() > sizeof(abi::UsagePageV1)) return false;
  const auto* bytes = reinterpret_cast<const std::byte*>(usage.get());
  std::memcpy(untrusted_copy.data(), bytes + offset, untrusted_copy.size());
  return true;
}

TenantPages FakePages::Pages() {
  return {.card = &card(), .index = 0, .usage = this, .attention = &usage->attention};
}

void FakePages::TakeSlot(uint32_t slot) {
  usage->slot_ceiling = std::max(usage->slot_ceiling.load(), slot + 1);
  usage->slots[slot].owner.generation.fetch_add(1);
}

size_t CardPlay::Join(abi::ComputeMode mode, uint32_t share_permille, Program program) {
  Player player{.pages = std::make_unique<FakePages>(mode, share_permille),
                .program = program,
                .left_kernels = 0,
                .next_burst_ns = std::max(now_ns_, program.from_ns)};
  player.pages->TakeSlot(0);
  players_.push_back(std::move(player));
  arbiter_.Add(players_.size(), players_.back().pages->Pages());
  next_step_ns_ = now_ns_;
  return players_.size() - 1;
}

void CardPlay::Leave(size_t player) {
  Kill(player);
  players_[player].sits = false;
  arbiter_.Remove(player + 1);
  next_step_ns_ = now_ns_;
}

// The kernel that runs ends at once.
void CardPlay::Kill(size_t player) {
  players_[player].lives = false;
  players_[player].pages->dead_slot = 0;
  std::erase_if(card_, [player](const Kernel& kernel) { return kernel.player == player; });
}

void CardPlay::Lie(size_t player, void (*write)(FakePages&, uint64_t)) {
  players_[player].lie = write;
}

void CardPlay::RunUntil(uint64_t end_ns) {
  for (; now_ns_ < end_ns; now_ns_ += kTickNs) {
    RunCard();
    for (size_t i = 0; i < players_.size(); ++i) Submit(i);
    if (std::max(next_step_ns_, arbiter_held_until_ns_) <= now_ns_) StepArbiter();
  }
}

// The tick that is over now.
void CardPlay::RunCard() {
  if (!card_.empty() && card_.front().begin_ns < now_ns_) {
    std::vector<uint64_t>& used = players_[card_.front().player].used_by_ms;
    const uint64_t ms = (now_ns_ - kTickNs) / kMs;
    used.resize(std::max<size_t>(used.size(), ms + 1));
    used[ms] += kTickNs;
  }
  while (!card_.empty() && card_.front().end_ns <= now_ns_) {
    Player& player = players_[card_.front().player];
    --player.queued;
    card_.pop_front();
  }
}

// When it can begin with the player's next kernel.
uint64_t CardPlay::FreeFor(size_t player) const {
  const uint64_t free_ns = card_.empty() ? now_ns_ : card_.back().end_ns;
  const bool is_anothers = last_on_card_ && *last_on_card_ != player;
  return free_ns + (is_anothers ? switch_ns_ : 0);
}

void CardPlay::Submit(size_t index) {
  Player& player = players_[index];
  if (!player.lives) return;
  const Program& program = player.program;
  if (player.left_kernels == 0 && player.next_burst_ns <= now_ns_) {
    player.left_kernels = program.burst_kernels != 0 ? program.burst_kernels : kEndless;
    player.next_burst_ns += program.period_ns;
  }
  if (player.left_kernels == 0 || now_ns_ < player.next_launch_ns || Wait(player)) return;
  abi::CardWorkV1& work = player.pages->Work(0);
  while (player.left_kernels != 0 && now_ns_ >= player.next_launch_ns &&
         (player.queued == 0 || player.queued * program.kernel_ns < program.ahead_ns)) {
    const uint64_t begin_ns = FreeFor(index);
    if (!card_.empty() && card_.back().player != index &&
        begin_ns > now_ns_ + switch_ns_ + kHandoverNs)
      ++overlaps_;
    card_.push_back({index, begin_ns, begin_ns + program.kernel_ns});
    last_on_card_ = index;
    work.busy_until_ns = card_.back().end_ns;
    work.used_ns.fetch_add(program.kernel_ns);
    ++player.queued;
    if (program.burst_kernels != 0) --player.left_kernels;
    if (program.gap_ns != 0) player.next_launch_ns = now_ns_ + program.gap_ns;
  }
}

// For its turn, as the first call that needs it.
bool CardPlay::Wait(Player& player) {
  abi::CardWorkV1& work = player.pages->Work(0);
  if (!player.pages->HasTurn(now_ns_)) {
    player.saw_odd = false;
    if (work.waits_since_ns != 0) return true;
    work.waits_since_ns = now_ns_;
    player.pages->Call();
    next_step_ns_ = now_ns_;
    return true;
  }
  if (work.waits_since_ns == 0) return false;
  if (!std::exchange(player.saw_odd, true)) player.saw_turn_ns = now_ns_ + kWakeNs;
  if (now_ns_ < player.saw_turn_ns) return true;
  work.waits_since_ns = 0;
  return false;
}

void CardPlay::StepArbiter() {
  for (Player& player : players_)
    if (player.lie != nullptr) player.lie(*player.pages, now_ns_);
  next_step_ns_ = arbiter_.Step(now_ns_);
  const auto odd = std::ranges::count_if(players_, [](const Player& player) {
    return player.sits && player.pages->card().compute.mode != abi::ComputeMode::kNone &&
           player.pages->MayRun();
  });
  most_odd_words_ = std::max(most_odd_words_, static_cast<uint64_t>(odd));
}

double CardPlay::Share(size_t player, uint64_t from_ns, uint64_t to_ns) const {
  const std::vector<uint64_t>& used = players_[player].used_by_ms;
  uint64_t sum = 0;
  for (size_t ms = from_ns / kMs; ms < std::min<size_t>(to_ns / kMs, used.size()); ++ms)
    sum += used[ms];
  return static_cast<double>(sum) / static_cast<double>(to_ns - from_ns);
}

}  // namespace warpshare::node
