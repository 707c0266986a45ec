#include "result/result.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace warpshare {
namespace {

Result<int> Half(int number) {
  if (number % 2 != 0) return Fail(Errc::kInvalid, "3 is odd: give an even number");
  return number / 2;
}

Result<std::string> HalfAsText(int number) {
  auto half = Half(number);
  if (!half) return Forward(half);
  return std::to_string(*half);
}

TEST(Result, HoldsAValueOrPassesTheErrorOn) {
  EXPECT_EQ(HalfAsText(8).value(), "4");
  const auto failed = HalfAsText(3);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, Errc::kInvalid);
  EXPECT_EQ(failed.error().message, "3 is odd: give an even number");
}

TEST(Error, SaysWhatTheSystemSaid) {
  const Error error = SystemError("cannot open /x", ENOENT);
  EXPECT_EQ(error.message, "cannot open /x: No such file or directory");
  EXPECT_EQ(error.code, Errc::kNotFound);
  EXPECT_EQ(SystemError("x", EACCES).code, Errc::kPermission);
  EXPECT_EQ(SystemError("x", EIO).code, Errc::kSystem);
}

}  // namespace
}  // namespace warpshare
