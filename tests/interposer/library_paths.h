// Where the build put the libraries under test and the drivers they are tested on; set in
// CMakeLists.txt.
#pragma once

#include <string>

namespace warpshare::testing {

inline const std::string kInterposerDir = WARPSHARE_TEST_INTERPOSER_DIR;
inline const std::string kEveryRowDir = WARPSHARE_TEST_EVERY_ROW_DIR;
inline const std::string kOldDriverDir = WARPSHARE_TEST_OLD_DRIVER_DIR;

}  // namespace warpshare::testing
