#include "interposer/session/card_account.h"

#include "interposer/log/log.h"
#include "interposer/session/patience.h"
#include "interposer/session/session.h"
#include "ledger/room.h"

namespace warpshare::interposer {

using ledger::CardLedger;
using ledger::Verdict;

inline Session& CardAccount::session() { return Session::g_session.Peek(); }

uint64_t CardAccount::LimitBytes() const {
  if (card_ >= abi::kMaxCards) return 0;
  return session().limits().cards[card_].memory_limit_bytes.load(std::memory_order_relaxed);
}

uint64_t CardAccount::UsedBytes() const {
  return card_ >= abi::kMaxCards ? 0 : CardLedger(session().usage(), card_).TotalBytes();
}

void CardAccount::Attach() {
  limits_ = &session().limits().cards[card_];
  usage_ = &session().usage().cards[card_];
  run_.store(ledger::kNoRun, std::memory_order_relaxed);
}

// That the slot is held is asked after the run was read: who takes the slot away later ends the
// run. None is learned while every change is written to a log.
void CardAccount::LearnRun() {
  const uint32_t slot = session().slot();
  const uint64_t run = ledger::RunOpenTo(session().usage().cards[card_], slot);
  const bool is_ours = session().HoldsSlot() && session().slot() == slot;
  run_.store(is_ours && !log::IsOn(log::Level::kTrace) ? run : ledger::kNoRun,
             std::memory_order_relaxed);
}

bool CardAccount::TryChargeSlowly(uint64_t bytes) {
  if (bytes == 0) return true;  // the driver will say what it thinks of that
  if (card_ >= abi::kMaxCards) return false;
  if (!session().HoldsSlot()) [[unlikely]]
    session().Reenter();
  CardLedger ledger(session().usage(), card_);
  if (ledger.Reserve(session().slot(), bytes, LimitBytes()) == Verdict::kOverLimit) [[unlikely]]
    return false;
  own_.Add(kOneChange + bytes);
  LearnRun();
  LogChange("charged ", bytes);
  return true;
}

// Whoever charged meanwhile took announced room for reserved, though it may not have been yet, or
// not any more, and may have noted too low a peak.
inline void CardAccount::WithdrawRoom(uint32_t slot, uint64_t bytes) {
  ledger::WithdrawRoom(session().usage(), card_, slot, bytes);
  CardLedger(session().usage(), card_).NotePeak();
}

bool CardAccount::TryHoldRoomInRun(uint64_t bytes) {
  if (usage_ == nullptr) return false;
  const uint32_t slot = session().slot();
  ledger::AnnounceRoom(session().usage(), card_, slot, bytes);
  if (!ledger::TryReserveRoomInRun(*usage_, run_.load(std::memory_order_relaxed), bytes,
                                   limits_->memory_limit_bytes.load(std::memory_order_relaxed)))
      [[unlikely]] {
    WithdrawRoom(slot, bytes);
    return false;
  }
  own_room_.Add(bytes);
  return true;
}

bool CardAccount::TryHoldRoom(uint64_t bytes) {
  if (bytes == 0) return true;
  if (card_ >= abi::kMaxCards) return false;
  if (TryHoldRoomInRun(bytes)) return true;
  if (!session().HoldsSlot()) [[unlikely]]
    session().Reenter();
  const uint32_t slot = session().slot();
  ledger::AnnounceRoom(session().usage(), card_, slot, bytes);
  if (CardLedger(session().usage(), card_).ReserveRoom(slot, bytes, LimitBytes()) ==
      Verdict::kOverLimit) {
    WithdrawRoom(slot, bytes);
    return false;
  }
  own_room_.Add(bytes);
  LearnRun();
  LogChange("charged ", bytes);
  return true;
}

void CardAccount::EndRoom(uint64_t bytes) {
  if (bytes == 0 || card_ >= abi::kMaxCards) return;
  own_.Add(kOneChange + bytes);
  own_room_.Add(0 - bytes);
  WithdrawRoom(session().slot(), bytes);
}

void CardAccount::ReturnRoom(uint64_t bytes) {
  if (card_ >= abi::kMaxCards) return;
  if (usage_ == nullptr ||
      !ledger::TryReleaseInRun(*usage_, run_.load(std::memory_order_relaxed), bytes)) [[unlikely]] {
    GiveBackSlowly(bytes);
    return EndRoom(bytes);
  }
  own_room_.Add(0 - bytes);
  WithdrawRoom(session().slot(), bytes);
}

bool CardAccount::MayFit(uint64_t bytes) const {
  if (card_ >= abi::kMaxCards) return false;
  const uint64_t limit = LimitBytes();
  const auto firm = CardLedger(session().usage(), card_).FirmBytes();
  return !firm || (*firm <= limit && bytes <= limit - *firm);
}

bool CardAccount::Charge(uint64_t bytes) {
  if (TryCharge(bytes)) [[likely]]
    return true;
  if (card_ >= abi::kMaxCards) return Refuse(bytes);
  session().Sweep();
  Patience patience(session());
  while (!TryCharge(bytes)) {
    if (!MayFit(bytes) || !patience.Wait()) return Refuse(bytes);
  }
  return true;
}

void CardAccount::ChargeTaken(uint64_t bytes) {
  if (bytes == 0 || card_ >= abi::kMaxCards) return;
  if (!session().HoldsSlot()) [[unlikely]]
    session().Reenter();
  (void)CardLedger(session().usage(), card_).Reserve(session().slot(), bytes, abi::kNoLimit);
  own_.Add(kOneChange + bytes);
  LogChange("counted ", bytes);
}

void CardAccount::GiveBackSlowly(uint64_t bytes) {
  if (card_ >= abi::kMaxCards) return;
  if (bytes != 0 && !session().HoldsSlot()) [[unlikely]]
    session().Reenter();
  own_.Add(kOneChange - bytes);
  if (bytes == 0) return;
  CardLedger(session().usage(), card_).Release(session().slot(), bytes);
  LearnRun();
  LogChange("gave back ", bytes);
}

// Both parts have it for a moment: who is refused for that waits, as it is announced as room. So
// nobody finds it missing, whoever dies in between.
template <typename Take>
void CardAccount::Move(uint32_t to, uint64_t bytes, Take take) {
  const uint32_t own_slot = session().slot();
  ledger::AnnounceRoom(session().usage(), card_, own_slot, bytes);
  (void)CardLedger(session().usage(), card_).ReserveRoom(to, bytes, abi::kNoLimit);
  take();
  WithdrawRoom(own_slot, bytes);
}

void CardAccount::MoveTo(uint32_t slot, uint64_t bytes) {
  Move(slot, bytes, [&] { CardLedger(session().usage(), card_).Release(session().slot(), bytes); });
  LogChange("moved out ", bytes);
}

void CardAccount::MoveBack(const ledger::MemorySlot& memory, uint64_t bytes) {
  Move(session().slot(), bytes,
       [&] { ledger::GiveBackDead(session().usage(), memory.slot, memory.generation); });
  LogChange("moved back ", bytes);
}

void CardAccount::EndMoved(uint64_t bytes) {
  own_.Add(kOneChange - bytes);
  LogChange("let go of exported ", bytes);
}

void CardAccount::Enter() {
  const uint64_t bytes = Own().bytes - session().MovedBytes(card_);
  if (bytes == 0 || card_ >= abi::kMaxCards) return;
  if (const uint64_t room = own_room_.Sum(); room != 0) {
    ledger::AnnounceRoom(session().usage(), card_, session().slot(), room);
  }
  (void)CardLedger(session().usage(), card_).Reserve(session().slot(), bytes, abi::kNoLimit);
}

bool CardAccount::Refuse(uint64_t bytes) {
  if (card_ < abi::kMaxCards) CardLedger(session().usage(), card_).CountRefusal();
  if (log::IsOn(log::Level::kInfo)) {
    log::Line line(log::Level::kInfo);
    line.Add("refused ").AddNumber(bytes).Add(" bytes on card ").AddNumber(card_);
    line.Add(": used ").AddNumber(UsedBytes()).Add(" of ").AddNumber(LimitBytes());
  }
  return false;
}

void CardAccount::LogChange(const char* what, uint64_t bytes) const {
  if (!log::IsOn(log::Level::kTrace)) return;
  log::Line line(log::Level::kTrace);
  line.Add(what)
      .AddNumber(bytes)
      .Add(" bytes on card ")
      .AddNumber(card_)
      .Add(", used ")
      .AddNumber(UsedBytes());
}

}  // namespace warpshare::interposer
