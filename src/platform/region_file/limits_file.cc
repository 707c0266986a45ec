#include "platform/region_file/limits_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "abi/region/limits_page.h"
#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {

namespace {

using abi::LimitsPageV1;

uint64_t Word(std::optional<Bytes> memory) { return memory ? memory->count() : abi::kNoLimit; }

std::optional<Bytes> FromWord(uint64_t word) {
  if (word == abi::kNoLimit) return std::nullopt;
  return Bytes(word);
}

void Fill(LimitsPageV1& page, const Limits& limits) {
  page.magic = abi::kLimitsMagic;
  page.size = sizeof(page);
  page.major = abi::kLimitsMajor;
  page.minor = abi::kLimitsMinor;
  page.card_count = static_cast<uint32_t>(limits.cards.size());
  limits.tenant.copy(page.tenant_name, sizeof(page.tenant_name) - 1);
  for (size_t i = 0; i < limits.cards.size(); ++i) {
    const CardLimit& card = limits.cards[i];
    std::ranges::copy(card.uuid.bytes(), page.cards[i].uuid);
    page.cards[i].memory_limit_bytes.store(Word(card.memory), std::memory_order_relaxed);
    page.cards[i].memory_capacity_bytes.store(card.capacity.count(), std::memory_order_relaxed);
  }
}

// The page mapped for as long as the object lives.
class MappedPage {
 public:
  static Result<MappedPage> Open(const std::string& path, bool writable) {
    auto file = OpenFile(path, writable ? O_RDWR : O_RDONLY);
    if (!file) return Forward(file);
    struct stat status = {};
    if (fstat(file->get(), &status) != 0) return Fail(SystemError("cannot look at " + path, errno));
    if (!S_ISREG(status.st_mode) || status.st_size < static_cast<off_t>(sizeof(LimitsPageV1)))
      return Fail(Errc::kCorrupt, path + " is no limits file: end the tenant's programs");
    void* address = mmap(nullptr, sizeof(LimitsPageV1),
                         writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file->get(), 0);
    if (address == MAP_FAILED) return Fail(SystemError("cannot map " + path, errno));
    MappedPage page(static_cast<LimitsPageV1*>(address));
    if (page->magic != abi::kLimitsMagic || page->major != abi::kLimitsMajor ||
        page->size < sizeof(LimitsPageV1) || page->card_count > abi::kMaxCards)
      return Fail(Errc::kCorrupt,
                  path + " was written by another version of warpshare: end the tenant's programs");
    return page;
  }

  LimitsPageV1* operator->() const { return page_.get(); }

 private:
  struct Unmap {
    void operator()(LimitsPageV1* page) const { munmap(page, sizeof(*page)); }
  };
  explicit MappedPage(LimitsPageV1* page) : page_(page) {}

  std::unique_ptr<LimitsPageV1, Unmap> page_;
};

}  // namespace

Result<void> WriteLimitsFile(const std::string& path, const Limits& limits) {
  if (limits.cards.size() > abi::kMaxCards)
    return Fail(Errc::kInvalid, "a tenant has at most " + std::to_string(abi::kMaxCards) +
                                    " cards: name fewer with --gpu");
  const auto page = std::make_unique<LimitsPageV1>();
  Fill(*page, limits);

  const std::string fresh = path + ".new";
  unlink(fresh.c_str());
  auto file = OpenFile(fresh, O_WRONLY | O_CREAT | O_EXCL, 0644);
  if (!file) return Forward(file);
  const std::string_view bytes(reinterpret_cast<const char*>(page.get()), sizeof(*page));
  if (auto written = WriteAll(*file, bytes); !written)
    return Fail(written.error().code, fresh + ": " + written.error().message);
  if (rename(fresh.c_str(), path.c_str()) != 0)
    return Fail(SystemError("cannot put in place " + path, errno));
  return {};
}

Result<Limits> ReadLimitsFile(const std::string& path) {
  auto page = MappedPage::Open(path, /*writable=*/false);
  if (!page) return Forward(page);
  const LimitsPageV1& content = *page->operator->();
  Limits limits{.tenant = std::string(content.tenant_name,
                                      strnlen(content.tenant_name, sizeof(content.tenant_name))),
                .cards = {}};
  for (uint32_t i = 0; i < content.card_count; ++i) {
    const abi::CardLimitsV1& card = content.cards[i];
    limits.cards.push_back({.uuid = GpuUuid(std::to_array(card.uuid)),
                            .memory = FromWord(card.memory_limit_bytes.load()),
                            .capacity = Bytes(card.memory_capacity_bytes.load())});
  }
  return limits;
}

Result<void> StoreMemoryLimit(const std::string& path, uint32_t card, std::optional<Bytes> memory) {
  auto page = MappedPage::Open(path, /*writable=*/true);
  if (!page) return Forward(page);
  if (card >= (*page)->card_count)
    return Fail(Errc::kNotFound, path + " has no card " + std::to_string(card));
  // Readers load relaxed: a limit stands alone, nothing is published with it.
  (*page)->cards[card].memory_limit_bytes.store(Word(memory), std::memory_order_relaxed);
  return {};
}

}  // namespace warpshare::platform
