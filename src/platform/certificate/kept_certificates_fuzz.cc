// Whatever somebody wrote into the Secret: files that are taken for certificates are given back as
// they were, and can be gone on from. The first byte says which of the good files, in the order of
// their names, the others replace, and how: as they are, or as what PEM text of a certificate or of
// a key has inside.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "platform/certificate/kept_certificates.h"
#include "types/base64.h"

namespace {

using warpshare::ToBase64;
namespace certificate = warpshare::certificate;
using certificate::Files;

constexpr certificate::WallTime kStart{std::chrono::seconds(1'767'225'600)};  // 2026

certificate::Wanted Wishes() { return {.names = {"localhost"}, .lives = {}}; }

// Of a time at which the next authority is there, too.
Files GoodFiles() {
  const auto first = certificate::Renew(std::nullopt, true, Wishes(), kStart);
  const auto second =
      certificate::Renew(**first, true, Wishes(), kStart + std::chrono::hours(24 * 365 * 4));
  return certificate::AsFiles(**second);
}

std::string Pem(const char* kind, std::string_view inside) {
  return std::string("-----BEGIN ") + kind + "-----\n" + ToBase64(inside) + "\n-----END " + kind +
         "-----\n";
}

std::string TextOf(unsigned how, std::string_view rest) {
  if (how == 1) return Pem("CERTIFICATE", rest);
  if (how == 2) return Pem("PRIVATE KEY", rest);
  return std::string(rest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Files good = GoodFiles();
  if (size == 0) return 0;
  const unsigned how = data[0] / good.size() % 3;
  const std::string text = TextOf(how, {reinterpret_cast<const char*>(data) + 1, size - 1});
  // FromFiles finds the same out, but slowly: it makes all that a server needs.
  if (!warpshare::http::ValidityOf(text) && how == 1) return 0;
  Files files = good;
  std::next(files.begin(), data[0] % static_cast<int>(good.size()))->second = text;
  const auto kept = certificate::FromFiles(files);
  if (!kept) return 0;
  const Files back = certificate::AsFiles(*kept);
  if (back.at("tls.crt") != files["tls.crt"] || back.at("authority.key") != files["authority.key"])
    std::abort();
  const auto renewed = certificate::Renew(*kept, true, Wishes(), kStart);
  if (renewed && *renewed && !certificate::FromFiles(certificate::AsFiles(**renewed))) std::abort();
  return 0;
}
