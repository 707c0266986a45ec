// Is a card fit to be given to anybody? From the faults that it reports (XIDs) and from whether it
// answers when it is asked. A card comes back by itself once there is reason to believe it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace warpshare::health {

enum class XidClass : uint8_t {
  kProgram,    // a program's own doing: the card is fine
  kPassing,    // the card may be fine again: once it was quiet for a while and answers
  kTillReset,  // it will not be before it was reset, which shows as not answering in between
};

// NVIDIA's catalogue of XIDs; numbers that nobody knows are kPassing.
XidClass ClassOfXid(uint64_t xid);

// How long a card must have been without a fault, and have answered, before it is trusted again.
inline constexpr uint64_t kQuietNs = 30'000'000'000;

class CardHealth {
 public:
  void Fault(uint64_t xid, uint64_t now_ns);
  void Answered(bool does, uint64_t now_ns);  // to a probe, every few seconds
  void Hung(uint64_t now_ns);                 // the probe has not come back, which is no answer
  void WasReset(uint64_t now_ns);             // somebody says so; it is still to be quiet

  bool is_healthy() const { return reason_.empty(); }
  const std::string& reason() const { return reason_; }  // for people; empty: healthy
  // The fault that only a reset mends; none: there is none, or it was reset.
  std::optional<uint64_t> awaits_reset() const { return awaits_reset_; }

 private:
  std::string TextOf(uint64_t xid) const;

  std::string reason_;
  uint64_t bad_since_ns_ = 0;             // the last time that something was wrong
  std::optional<uint64_t> awaits_reset_;  // its XID
};

}  // namespace warpshare::health
