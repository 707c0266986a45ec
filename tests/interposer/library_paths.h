// Where the build put the libraries under test, the drivers they are tested on and the programs
// that meet them; set in CMakeLists.txt.
#pragma once

#include <string>

namespace warpshare::testing {

inline const std::string kInterposerDir = WARPSHARE_TEST_INTERPOSER_DIR;
inline const std::string kSimgpuDir = WARPSHARE_TEST_SIMGPU_DIR;
inline const std::string kEveryRowDir = WARPSHARE_TEST_FAKE_DIR "/every_row";
inline const std::string kOldDriverDir = WARPSHARE_TEST_FAKE_DIR "/old";
inline const std::string kTellingDriverDir = WARPSHARE_TEST_FAKE_DIR "/telling";
inline const std::string kAccountingDriverDir = WARPSHARE_TEST_FAKE_DIR "/accounting";
inline const std::string kOddDriverDir = WARPSHARE_TEST_FAKE_DIR "/odd";
inline const std::string kMigDriverDir = WARPSHARE_TEST_FAKE_DIR "/mig";
inline const std::string kTenantProgram = WARPSHARE_TEST_PROGRAM_DIR "/tenant_program";
inline const std::string kLinkedTenantProgram = WARPSHARE_TEST_PROGRAM_DIR "/tenant_program_linked";

}  // namespace warpshare::testing
