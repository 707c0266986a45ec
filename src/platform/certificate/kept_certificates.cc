#include "platform/certificate/kept_certificates.h"

#include <algorithm>

namespace warpshare::certificate {

namespace {

constexpr char kAuthorityName[] = "warpshare authority";

// From two thirds of its life on; also before it begins, which tells of a clock that ran ahead, and
// when it cannot be read.
bool IsDue(const Identity& identity, WallTime now) {
  const auto validity = http::ValidityOf(identity.certificates);
  if (!validity) return true;
  return now < validity->from || now >= validity->from + (validity->until - validity->from) / 3 * 2;
}

bool Holds(const std::string& certificates, WallTime now) {
  const auto validity = http::ValidityOf(certificates);
  return validity && now >= validity->from && now < validity->until;
}

Result<Identity> NewAuthority(const Lives& lives, WallTime now) {
  return http::MakeAuthority(kAuthorityName, {now - lives.backdate, now + lives.authority});
}

// One change at a time to what is kept, and whether there was one.
class Renewal {
 public:
  Renewal(KeptCertificates kept, const Wanted& wanted, WallTime now)
      : kept_(std::move(kept)), wanted_(wanted), now_(now) {}

  Result<void> AnnounceNextAuthority() {
    if (kept_.next_authority || !IsDue(kept_.authority, now_)) return {};
    auto next = NewAuthority(wanted_.lives, now_);
    if (!next) return Forward(next);
    kept_.next_authority = std::move(*next);
    is_changed_ = true;
    return {};
  }

  // What clients may not believe yet is taken only when there is no other.
  void SwitchAuthority(bool bundle_is_out) {
    if (!kept_.next_authority) return;
    const bool may_wait = Holds(kept_.authority.certificates, now_);
    if (may_wait && !(bundle_is_out && IsKnownForLong(*kept_.next_authority))) return;
    kept_.former_authority = std::move(kept_.authority.certificates);
    kept_.authority = std::move(*kept_.next_authority);
    kept_.next_authority.reset();
    kept_.serving = {};
    is_changed_ = true;
  }

  void ForgetFormerAuthority() {
    if (kept_.former_authority.empty() || Holds(kept_.former_authority, now_)) return;
    kept_.former_authority.clear();
    is_changed_ = true;
  }

  Result<void> IssueServing() {
    if (kept_.names == wanted_.names && !IsDue(kept_.serving, now_)) return {};
    const auto authority = http::ValidityOf(kept_.authority.certificates);
    if (!authority) return Fail(authority.error());
    auto serving = http::IssueCertificate(
        kept_.authority, wanted_.names,
        {now_ - wanted_.lives.backdate, std::min(now_ + wanted_.lives.serving, authority->until)});
    if (!serving) return Forward(serving);
    kept_.serving = std::move(*serving);
    kept_.names = wanted_.names;
    is_changed_ = true;
    return {};
  }

  std::optional<KeptCertificates> result() {
    if (!is_changed_) return std::nullopt;
    return std::move(kept_);
  }

 private:
  bool IsKnownForLong(const Identity& next) const {
    const auto validity = http::ValidityOf(next.certificates);
    return validity && now_ >= validity->from + wanted_.lives.backdate + wanted_.lives.overlap;
  }

  KeptCertificates kept_;
  const Wanted& wanted_;
  const WallTime now_;
  bool is_changed_ = false;
};

Result<KeptCertificates> Begin(const Wanted& wanted, WallTime now) {
  auto authority = NewAuthority(wanted.lives, now);
  if (!authority) return Forward(authority);
  KeptCertificates kept;
  kept.authority = std::move(*authority);
  return kept;
}

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

std::string Find(const Files& files, std::string_view name) {
  const auto found = files.find(name);
  return found == files.end() ? "" : found->second;
}

// Do the certificate and the key belong together?
Result<void> CheckPair(const Identity& identity, const char* file) {
  const auto usable = http::MakeContext(http::ServerTls{identity, ""});
  if (!usable) return Fail(Errc::kCorrupt, std::string(file) + ": " + usable.error().message);
  return {};
}

}  // namespace

std::string KeptCertificates::Bundle() const {
  return authority.certificates + (next_authority ? next_authority->certificates : "") +
         former_authority;
}

Result<std::optional<KeptCertificates>> Renew(const std::optional<KeptCertificates>& kept,
                                              bool bundle_is_out, const Wanted& wanted,
                                              WallTime now) {
  auto from = kept ? Result<KeptCertificates>(*kept) : Begin(wanted, now);
  if (!from) return Forward(from);
  Renewal renewal(std::move(*from), wanted, now);
  renewal.SwitchAuthority(bundle_is_out);
  if (auto done = renewal.AnnounceNextAuthority(); !done) return Forward(done);
  renewal.SwitchAuthority(/*bundle_is_out=*/false);
  renewal.ForgetFormerAuthority();
  if (auto done = renewal.IssueServing(); !done) return Forward(done);
  return renewal.result();
}

Files AsFiles(const KeptCertificates& kept) {
  const Identity next = kept.next_authority.value_or(Identity{});
  return {{"ca.crt", kept.Bundle()},
          {"authority.crt", kept.authority.certificates},
          {"authority.key", kept.authority.key},
          {"next-authority.crt", next.certificates},
          {"next-authority.key", next.key},
          {"former-authority.crt", kept.former_authority},
          {"names", Joined(kept.names)},
          {"tls.crt", kept.serving.certificates},
          {"tls.key", kept.serving.key}};
}

Result<KeptCertificates> FromFiles(const Files& files) {
  KeptCertificates kept{.authority = {Find(files, "authority.crt"), Find(files, "authority.key")},
                        .next_authority = std::nullopt,
                        .former_authority = Find(files, "former-authority.crt"),
                        .serving = {Find(files, "tls.crt"), Find(files, "tls.key")},
                        .names = Lines(Find(files, "names"))};
  Identity next{Find(files, "next-authority.crt"), Find(files, "next-authority.key")};
  if (!next.certificates.empty()) kept.next_authority = std::move(next);
  if (auto usable = CheckPair(kept.serving, "tls.crt"); !usable) return Forward(usable);
  if (auto usable = CheckPair(kept.authority, "authority.crt"); !usable) return Forward(usable);
  if (!kept.next_authority) return kept;
  if (auto usable = CheckPair(*kept.next_authority, "next-authority.crt"); !usable)
    return Forward(usable);
  return kept;
}

}  // namespace warpshare::certificate
