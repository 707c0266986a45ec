#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <ctime>

#include "platform/http/certificate.h"

namespace warpshare::http {
namespace {

template <typename T, void (*kFree)(T*)>
struct FreeWith {
  void operator()(T* it) const { kFree(it); }
};
template <typename T, void (*kFree)(T*)>
using Owned = std::unique_ptr<T, FreeWith<T, kFree>>;

using Key = Owned<EVP_PKEY, EVP_PKEY_free>;
using Certificate = Owned<X509, X509_free>;
using Extension = Owned<X509_EXTENSION, X509_EXTENSION_free>;
using Time = Owned<ASN1_TIME, ASN1_TIME_free>;
using Bignum = Owned<BIGNUM, BN_free>;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free_all(bio); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;

Failure Failed(const char* what) {
  const unsigned long error = ERR_get_error();
  ERR_clear_error();
  char text[256] = "unknown";
  if (error != 0) ERR_error_string_n(error, text, sizeof(text));
  return Fail(Errc::kInvalid, std::string(what) + ": " + text);
}

Bio Reading(const std::string& text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string Written(const Bio& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<size_t>(size));
}

Certificate ReadCertificate(const std::string& text) {
  return Certificate(PEM_read_bio_X509(Reading(text).get(), nullptr, nullptr, nullptr));
}

bool SetTime(ASN1_TIME* field, WallTime time) {
  return ASN1_TIME_set(field, std::chrono::system_clock::to_time_t(time)) != nullptr;
}

bool SetSerial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof(bytes)) != 1) return false;
  bytes[0] &= 0x7f;  // positive
  const Bignum number(BN_bin2bn(bytes, sizeof(bytes), nullptr));
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool SetCommonName(X509_NAME* subject, const std::string& name) {
  // 64 is the most that X.509 lets a common name have; what counts are the alternative names.
  const std::string cut = name.substr(0, 64);
  return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(cut.data()),
                                    static_cast<int>(cut.size()), -1, 0) == 1;
}

bool Extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool IsAddress(const std::string& name) {
  ASN1_OCTET_STRING* address = a2i_IPADDRESS(name.c_str());
  ASN1_OCTET_STRING_free(address);
  ERR_clear_error();
  return address != nullptr;
}

// A comma in a name would begin another one.
Result<std::string> AlternativeNames(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of(",\r\n") != std::string::npos) {
      return Fail(Errc::kInvalid, "not a name for a certificate: \"" + name + '"');
    }
    list += (list.empty() ? "" : ",") + std::string(IsAddress(name) ? "IP:" : "DNS:") + name;
  }
  if (list.empty()) return Fail(Errc::kInvalid, "a certificate needs a name");
  return list;
}

Result<Identity> AsText(X509* certificate, EVP_PKEY* key) {
  const Bio certificate_text(BIO_new(BIO_s_mem())), key_text(BIO_new(BIO_s_mem()));
  const bool written =
      PEM_write_bio_X509(certificate_text.get(), certificate) == 1 &&
      PEM_write_bio_PrivateKey(key_text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  if (!written) return Failed("a certificate cannot be written");
  return Identity{Written(certificate_text), Written(key_text)};
}

struct Plan {
  std::string common_name;
  Validity validity;
  std::string alternative_names;  // "": an authority
  X509* issuer;                   // null: signs itself
  EVP_PKEY* issuer_key;
};

bool AddExtensions(X509* certificate, X509* issuer, const Plan& plan) {
  const bool named = Extend(certificate, issuer, NID_subject_key_identifier, "hash") &&
                     Extend(certificate, issuer, NID_authority_key_identifier, "keyid:always");
  if (plan.alternative_names.empty()) {
    return named && Extend(certificate, issuer, NID_basic_constraints, "critical,CA:TRUE") &&
           Extend(certificate, issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
  }
  return named && Extend(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE") &&
         Extend(certificate, issuer, NID_key_usage, "critical,digitalSignature") &&
         Extend(certificate, issuer, NID_ext_key_usage, "serverAuth,clientAuth") &&
         Extend(certificate, issuer, NID_subject_alt_name, plan.alternative_names);
}

Result<Identity> Make(const Plan& plan) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  if (!key || !certificate) return Failed("a key cannot be made");
  X509* one = certificate.get();
  X509* issuer = plan.issuer != nullptr ? plan.issuer : one;
  const bool made =
      X509_set_version(one, X509_VERSION_3) == 1 && SetSerial(one) &&
      SetTime(X509_getm_notBefore(one), plan.validity.from) &&
      SetTime(X509_getm_notAfter(one), plan.validity.until) &&
      SetCommonName(X509_get_subject_name(one), plan.common_name) &&
      X509_set_issuer_name(one, X509_get_subject_name(issuer)) == 1 &&
      X509_set_pubkey(one, key.get()) == 1 && AddExtensions(one, issuer, plan) &&
      X509_sign(one, plan.issuer_key != nullptr ? plan.issuer_key : key.get(), EVP_sha256()) != 0;
  if (!made) return Failed("a certificate cannot be made");
  return AsText(one, key.get());
}

Result<WallTime> ReadTime(const ASN1_TIME* field) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(field, &parts) != 1) return Failed("the certificate has no proper time");
  return std::chrono::system_clock::from_time_t(timegm(&parts));
}

}  // namespace

Result<Identity> MakeAuthority(const std::string& name, Validity validity) {
  return Make({.common_name = name,
               .validity = validity,
               .alternative_names = "",
               .issuer = nullptr,
               .issuer_key = nullptr});
}

Result<Identity> IssueCertificate(const Identity& authority, const std::vector<std::string>& names,
                                  Validity validity) {
  auto alternatives = AlternativeNames(names);
  if (!alternatives) return Forward(alternatives);
  const Certificate issuer = ReadCertificate(authority.certificates);
  const Key key(PEM_read_bio_PrivateKey(Reading(authority.key).get(), nullptr, nullptr, nullptr));
  if (!issuer || !key) return Failed("the authority cannot be used");
  return Make({.common_name = names.front(),
               .validity = validity,
               .alternative_names = std::move(*alternatives),
               .issuer = issuer.get(),
               .issuer_key = key.get()});
}

Result<Validity> ValidityOf(const std::string& certificates) {
  const Certificate certificate = ReadCertificate(certificates);
  if (!certificate) return Failed("no certificate in this text");
  auto from = ReadTime(X509_get0_notBefore(certificate.get()));
  if (!from) return Forward(from);
  auto until = ReadTime(X509_get0_notAfter(certificate.get()));
  if (!until) return Forward(until);
  return Validity{*from, *until};
}

}  // namespace warpshare::http
