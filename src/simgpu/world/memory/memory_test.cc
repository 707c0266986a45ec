#include "simgpu/world/memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <thread>
#include <vector>

#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

class MemoryTest : public ::testing::Test {
 protected:
  uint64_t Used(int card = 0) { return memory_.Use(card).used; }
  uint64_t PagesInFile(int card) {
    struct stat status;
    const std::string path = temp_.directory() + "/card" + std::to_string(card) + ".mem";
    return stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_blocks) / 8 : 0;
  }

  TempWorld temp_;
  std::unique_ptr<World> world_ = temp_.Open();
  Memory& memory_ = world_->memory();
};

TEST_F(MemoryTest, IsAllFreeAtFirst) {
  const MemoryUse use = memory_.Use(0);
  EXPECT_EQ(use.total, kGiB);
  EXPECT_EQ(use.used, 0u);
  EXPECT_EQ(use.free, kGiB);
}

TEST_F(MemoryTest, ChargesExactlyWhatIsAskedFor) {
  std::vector<void*> addresses;
  uint64_t sum = 0;
  for (const uint64_t bytes : {1ul, 511ul, 512ul, 513ul, 70'001ul, kMiB - 1, kMiB, 3 * kMiB + 1}) {
    const auto allocation = memory_.Allocate(0, bytes);
    ASSERT_TRUE(allocation);
    addresses.push_back(allocation->address);
    sum += bytes;
    EXPECT_EQ(Used(), sum);
  }
  EXPECT_EQ(memory_.UseOfSelf(0).by_kind[static_cast<int>(MemoryKind::kData)], sum);
  for (void* address : addresses) EXPECT_TRUE(memory_.Free(address));
  EXPECT_EQ(Used(), 0u);
}

TEST_F(MemoryTest, GrantsTheLastByteAndNotOneMore) {
  ASSERT_TRUE(memory_.Charge(0, MemoryKind::kContext, 300 * kMiB));
  const auto rest = memory_.Allocate(0, kGiB - 300 * kMiB);
  ASSERT_TRUE(rest);
  EXPECT_FALSE(memory_.Allocate(0, 1));
  EXPECT_FALSE(memory_.Charge(0, MemoryKind::kModule, 1));
  EXPECT_FALSE(memory_.AllocateExtent(0, kBlockBytes, MemoryKind::kData));
  EXPECT_EQ(Used(), kGiB);
  memory_.Uncharge(0, MemoryKind::kContext, 1);
  EXPECT_TRUE(memory_.Allocate(0, 1));
  EXPECT_FALSE(memory_.Allocate(0, UINT64_MAX));
  EXPECT_FALSE(memory_.Allocate(0, 0));
}

TEST_F(MemoryTest, KeepsCardsApart) {
  ASSERT_TRUE(memory_.Allocate(1, kGiB));
  EXPECT_EQ(Used(0), 0u);
  EXPECT_TRUE(memory_.Allocate(0, kGiB));
}

TEST_F(MemoryTest, GivesMemoryThatHoldsDataAndReadsZeroWhenNew) {
  const auto first = memory_.Allocate(0, 4 * kMiB);
  std::memset(first->address, 0xab, 4 * kMiB);
  EXPECT_GE(PagesInFile(0), 1024u);
  ASSERT_TRUE(memory_.Free(first->address));
  EXPECT_EQ(PagesInFile(0), 0u);
  const auto second = memory_.Allocate(0, 4 * kMiB);
  EXPECT_EQ(second->address, first->address);
  EXPECT_EQ(static_cast<char*>(second->address)[kMiB], 0);
}

TEST_F(MemoryTest, CommitsNothingBeforeItIsTouched) {
  ASSERT_TRUE(memory_.Allocate(0, kGiB));
  EXPECT_EQ(PagesInFile(0), 0u);
}

TEST_F(MemoryTest, GivesNoPagesBackOfWhatWasNeverTouched) {
  const auto touched = memory_.AllocateExtent(0, kBlockBytes, MemoryKind::kData);
  *static_cast<char*>(touched->address) = 'x';
  ASSERT_EQ(PagesInFile(0), 1u);
  memory_.ReleaseUntouched(*touched);  // which is not true: the page shows that nobody looked
  EXPECT_EQ(PagesInFile(0), 1u);
  EXPECT_EQ(Used(), 0u);
  const auto again = memory_.AllocateExtent(0, kBlockBytes, MemoryKind::kData);
  ASSERT_EQ(again->block, touched->block);
  memory_.Release(*again);
  EXPECT_EQ(PagesInFile(0), 0u);
}

TEST_F(MemoryTest, FindsTheAllocationOfAnyAddressInIt) {
  const auto small = memory_.Allocate(0, 1000);
  const auto large = memory_.Allocate(1, 5 * kMiB);
  auto* start = static_cast<char*>(small->address);
  EXPECT_EQ(memory_.Find(start + 999)->address, start);
  EXPECT_FALSE(memory_.Find(start + 1000));
  auto* large_start = static_cast<char*>(large->address);
  EXPECT_EQ(memory_.Find(large_start + 5 * kMiB - 1)->bytes, 5 * kMiB);
  EXPECT_FALSE(memory_.Find(large_start + 5 * kMiB));
  EXPECT_FALSE(memory_.Find(&large));
  EXPECT_FALSE(memory_.Find(nullptr));
}

TEST_F(MemoryTest, RefusesToFreeWhatIsNoAllocation) {
  const auto small = memory_.Allocate(0, 1000);
  const auto large = memory_.Allocate(0, 5 * kMiB);
  const auto extent = memory_.AllocateExtent(0, kBlockBytes, MemoryKind::kData);
  EXPECT_FALSE(memory_.Free(static_cast<char*>(small->address) + 1));
  EXPECT_FALSE(memory_.Free(static_cast<char*>(large->address) + kBlockBytes));
  EXPECT_FALSE(memory_.Free(extent->address));
  EXPECT_FALSE(memory_.Free(nullptr));
  EXPECT_TRUE(memory_.Free(small->address));
  EXPECT_FALSE(memory_.Free(small->address));
  EXPECT_TRUE(memory_.Free(large->address));
  EXPECT_FALSE(memory_.Free(large->address));
}

TEST_F(MemoryTest, SharesAnExtentWithAnotherProcess) {
  const auto other = temp_.Open();  // a participant of its own, as another process is
  const auto made = memory_.AllocateExtent(0, 4 * kMiB, MemoryKind::kData);
  std::strcpy(static_cast<char*>(made->address), "hello");
  const auto held = other->memory().Hold(memory_.NameOf(*made));
  ASSERT_TRUE(held);
  EXPECT_NE(held->address, made->address);
  EXPECT_STREQ(static_cast<char*>(held->address), "hello");
  EXPECT_EQ(Used(), 4 * kMiB);  // charged once, to its maker
  EXPECT_EQ(other->memory().UseOfSelf(0).total(), 0u);
  memory_.Release(*made);
  EXPECT_STREQ(static_cast<char*>(held->address), "hello");
  EXPECT_EQ(memory_.UseOfSelf(0).total(), 4 * kMiB);
  other->memory().Release(*held);
  EXPECT_EQ(Used(), 0u);
  EXPECT_FALSE(other->memory().Hold(memory_.NameOf(*made)));
}

TEST_F(MemoryTest, CountsHoldsOfOneProcess) {
  const auto made = memory_.AllocateExtent(0, kMiB, MemoryKind::kData);
  ASSERT_TRUE(memory_.Hold(memory_.NameOf(*made)));
  memory_.Release(*made);
  EXPECT_EQ(Used(), kMiB);
  memory_.Release(*made);
  EXPECT_EQ(Used(), 0u);
  memory_.Release(*made);  // one too many changes nothing
  EXPECT_EQ(Used(), 0u);
}

TEST_F(MemoryTest, DoesNotTakeANameForWhatCameAfter) {
  const auto first = memory_.AllocateExtent(0, kBlockBytes, MemoryKind::kData);
  const ExtentName name = memory_.NameOf(*first);
  memory_.Release(*first);
  const auto second = memory_.AllocateExtent(0, kBlockBytes, MemoryKind::kData);
  ASSERT_EQ(second->block, first->block);
  EXPECT_FALSE(memory_.Hold(name));
  ExtentName elsewhere = memory_.NameOf(*second);
  elsewhere.world_id ^= 1;
  EXPECT_FALSE(memory_.Hold(elsewhere));
  ExtentName wild = memory_.NameOf(*second);
  wild.block = 0x7fff'ffff;
  EXPECT_FALSE(memory_.Hold(wild));
  wild.card = 99;
  EXPECT_FALSE(memory_.Hold(wild));
}

TEST_F(MemoryTest, KeepsAnExtentWhoseMakerLeft) {
  auto maker = temp_.Open();
  const auto made = maker->memory().AllocateExtent(0, 4 * kMiB, MemoryKind::kData);
  std::strcpy(static_cast<char*>(made->address), "left");
  const auto held = memory_.Hold(maker->memory().NameOf(*made));
  maker.reset();
  EXPECT_STREQ(static_cast<char*>(held->address), "left");
  EXPECT_EQ(Used(), 4 * kMiB);
  EXPECT_EQ(memory_.UseOfSelf(0).total(), 0u);
  memory_.Release(*held);
  EXPECT_EQ(Used(), 0u);
}

TEST_F(MemoryTest, GivesBackWhatALeavingProcessHeld) {
  auto other = temp_.Open();
  ASSERT_TRUE(other->memory().Charge(0, MemoryKind::kContext, 300 * kMiB));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(other->memory().Allocate(0, 1000));
  const auto large = other->memory().Allocate(0, 64 * kMiB);
  std::memset(large->address, 1, 64 * kMiB);
  EXPECT_EQ(Used(), 364 * kMiB + 1'000'000);
  other.reset();
  EXPECT_EQ(Used(), 0u);
  EXPECT_EQ(PagesInFile(0), 0u);
}

TEST_F(MemoryTest, KeepsAnExtentAliveByItsDescriptorAlone) {
  const auto made = memory_.AllocateExtent(0, 4 * kMiB, MemoryKind::kData);
  std::strcpy(static_cast<char*>(made->address), "by fd");
  const int fd = memory_.ExportFd(*made);
  ASSERT_GE(fd, 0);
  memory_.Release(*made);
  EXPECT_EQ(Used(), 4 * kMiB);
  const auto other = temp_.Open();
  const auto imported = other->memory().ImportFd(fd);
  ASSERT_TRUE(imported);
  EXPECT_STREQ(static_cast<char*>(imported->address), "by fd");
  close(fd);
  EXPECT_EQ(Used(), 4 * kMiB);
  other->memory().Release(*imported);
  EXPECT_EQ(Used(), 0u);
  EXPECT_EQ(PagesInFile(0), 0u);
}

// Sends `fd` into a socket that nobody has read yet.
void SendFd(int socket, int fd) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof(int));
  ASSERT_EQ(sendmsg(socket, &message, 0), 1);
}

TEST_F(MemoryTest, KeepsAnExtentWhoseDescriptorIsOnItsWay) {
  const auto made = memory_.AllocateExtent(0, 4 * kMiB, MemoryKind::kData);
  const int fd = memory_.ExportFd(*made);
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  SendFd(sockets[0], fd);
  memory_.Release(*made);
  close(fd);
  EXPECT_EQ(Used(), 4 * kMiB);
  close(sockets[0]);
  close(sockets[1]);
  EXPECT_EQ(Used(), 0u);
}

TEST_F(MemoryTest, ImportsOnlyItsOwnDescriptors) {
  const int fd = memfd_create("other", MFD_CLOEXEC);
  EXPECT_FALSE(memory_.ImportFd(fd));
  char junk[64] = "junk";
  ASSERT_EQ(write(fd, junk, sizeof(junk)), 64);
  EXPECT_FALSE(memory_.ImportFd(fd));
  EXPECT_FALSE(memory_.ImportFd(-1));
  close(fd);
}

TEST_F(MemoryTest, MapsAnExtentAtAnyAddressToo) {
  const auto extent = memory_.AllocateExtent(0, 3 * kBlockBytes, MemoryKind::kData);
  auto* reserved = static_cast<char*>(mmap(nullptr, 4 * kBlockBytes, PROT_NONE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_TRUE(memory_.MapAt(*extent, kBlockBytes, reserved, kBlockBytes));
  std::strcpy(reserved, "twice");
  EXPECT_STREQ(static_cast<char*>(extent->address) + kBlockBytes, "twice");
  EXPECT_TRUE(memory_.Unmap(reserved, kBlockBytes));
  EXPECT_STREQ(static_cast<char*>(extent->address) + kBlockBytes, "twice");
  EXPECT_FALSE(memory_.MapAt(*extent, 2 * kBlockBytes, reserved, 2 * kBlockBytes));
  EXPECT_FALSE(memory_.MapAt(*extent, UINT64_MAX, reserved, kBlockBytes));
  munmap(reserved, 4 * kBlockBytes);
}

TEST_F(MemoryTest, HoldsAHundredThousandAllocations) {
  std::vector<void*> addresses;
  for (int i = 0; i < 100'000; ++i) {
    const auto allocation = memory_.Allocate(0, 8192);
    ASSERT_TRUE(allocation) << i;
    addresses.push_back(allocation->address);
  }
  EXPECT_EQ(Used(), 100'000u * 8192);
  for (void* address : addresses) ASSERT_TRUE(memory_.Free(address));
  EXPECT_EQ(Used(), 0u);
}

TEST_F(MemoryTest, UsesSpaceAgainHoweverItIsCut) {
  // Every second one freed, three times, with growing sizes: free space lies in pieces of the file.
  std::vector<void*> live;
  for (const uint64_t bytes : {2 * kMiB, 4 * kMiB, 8 * kMiB}) {
    while (const auto allocation = memory_.Allocate(0, bytes)) live.push_back(allocation->address);
    std::vector<void*> kept;
    for (size_t i = 0; i < live.size(); ++i) {
      if (i % 2 == 0) {
        kept.push_back(live[i]);
      } else {
        ASSERT_TRUE(memory_.Free(live[i]));
      }
    }
    live = kept;
  }
  const MemoryUse use = memory_.Use(0);
  EXPECT_TRUE(memory_.Allocate(0, use.free));
  EXPECT_EQ(Used(), kGiB);
}

TEST_F(MemoryTest, IsExactUnderThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::vector<void*> mine;
      for (int i = 0; i < 3000; ++i) {
        const uint64_t bytes = i % 7 == 0 ? 2 * kMiB + static_cast<uint64_t>(i) : 100u + i * t;
        if (const auto allocation = memory_.Allocate(0, bytes)) mine.push_back(allocation->address);
        if (mine.size() > 20) {
          EXPECT_TRUE(memory_.Free(mine.back()));
          mine.pop_back();
        }
      }
      for (void* address : mine) EXPECT_TRUE(memory_.Free(address));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Used(), 0u);
}

TEST_F(MemoryTest, PopulatesARange) {
  const auto allocation = memory_.Allocate(0, 4 * kMiB);
  EXPECT_TRUE(Memory::Populate(allocation->address, 4 * kMiB));
  EXPECT_EQ(PagesInFile(0), 1024u);
}

}  // namespace
}  // namespace simgpu::world
