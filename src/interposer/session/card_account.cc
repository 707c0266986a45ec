#include "interposer/session/card_account.h"

#include "interposer/log/log.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

using ledger::CardLedger;
using ledger::Verdict;

uint64_t CardAccount::LimitBytes() const {
  if (card_ >= abi::kMaxCards) return 0;
  return session_->limits().cards[card_].memory_limit_bytes.load(std::memory_order_relaxed);
}

uint64_t CardAccount::UsedBytes() const {
  return card_ >= abi::kMaxCards ? 0 : CardLedger(session_->usage(), card_).TotalBytes();
}

bool CardAccount::TryCharge(uint64_t bytes) { return Take(bytes, &CardLedger::Reserve); }

bool CardAccount::TryHoldRoom(uint64_t bytes) { return Take(bytes, &CardLedger::ReserveRoom); }

void CardAccount::NotePeak() {
  if (card_ < abi::kMaxCards) CardLedger(session_->usage(), card_).NotePeak();
}

bool CardAccount::Take(uint64_t bytes, Reservation reserve) {
  if (bytes == 0) return true;  // the driver will say what it thinks of that
  if (card_ >= abi::kMaxCards) return false;
  if (!session_->HoldsSlot()) [[unlikely]]
    session_->Reenter();
  CardLedger ledger(session_->usage(), card_);
  if ((ledger.*reserve)(session_->slot(), bytes, LimitBytes()) == Verdict::kOverLimit) [[unlikely]]
    return false;
  own_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  LogChange("charged ", bytes);
  return true;
}

bool CardAccount::Charge(uint64_t bytes) {
  if (TryCharge(bytes)) [[likely]]
    return true;
  session_->Sweep();
  return TryCharge(bytes) || Refuse(bytes);
}

void CardAccount::ChargeTaken(uint64_t bytes) {
  if (bytes == 0 || card_ >= abi::kMaxCards) return;
  if (!session_->HoldsSlot()) [[unlikely]]
    session_->Reenter();
  (void)CardLedger(session_->usage(), card_).Reserve(session_->slot(), bytes, abi::kNoLimit);
  own_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  LogChange("counted ", bytes);
}

void CardAccount::GiveBack(uint64_t bytes) {
  if (bytes == 0 || card_ >= abi::kMaxCards) return;
  if (!session_->HoldsSlot()) [[unlikely]]
    session_->Reenter();
  own_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  CardLedger(session_->usage(), card_).Release(session_->slot(), bytes);
  LogChange("gave back ", bytes);
}

void CardAccount::Enter() {
  const uint64_t bytes = OwnBytes();
  if (bytes == 0 || card_ >= abi::kMaxCards) return;
  (void)CardLedger(session_->usage(), card_).Reserve(session_->slot(), bytes, abi::kNoLimit);
}

bool CardAccount::Refuse(uint64_t bytes) {
  if (card_ < abi::kMaxCards) CardLedger(session_->usage(), card_).CountRefusal();
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
