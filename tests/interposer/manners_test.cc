// Programs that have nothing to do with CUDA, with the library preloaded all the same: nothing
// about them changes.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "library_paths.h"
#include "run_program.h"
#include "tenant_dir.h"

namespace warpshare::testing {
namespace {

// As a tenant, so that what would be done for a tenant would be done here.
class MannersTest : public ::testing::Test {
 protected:
  Environment Preloaded() const {
    return {
        {"LD_PRELOAD", kInterposerDir + "/libcuda.so.1:" + kInterposerDir + "/libnvidia-ml.so.1"},
        {abi::kEnvTenantDir, tenant_.path()},
        {abi::kEnvLog, log_file()}};
  }
  std::string log_file() const { return tenant_.path() + "/log"; }

  void ExpectUnchanged(const std::vector<std::string>& command) {
    const Ran bare = RunProgram(command, {});
    const Ran preloaded = RunProgram(command, Preloaded());
    EXPECT_EQ(preloaded.exit_code, bare.exit_code) << command[0];
    EXPECT_EQ(preloaded.out, bare.out);
    EXPECT_EQ(preloaded.err, bare.err);
    EXPECT_FALSE(std::filesystem::exists(log_file())) << "something happened in " << command[0];
    EXPECT_EQ(tenant_.usage().slot_ceiling, 0u);
  }

  TenantDir tenant_{{{.uuid = {1}, .memory_limit = 0}}};
};

TEST_F(MannersTest, Scenario06_LsGrepAndFailingProgramsAreUnchanged) {
  ExpectUnchanged({"ls", "/"});
  ExpectUnchanged({"ls", "/nonexistent"});
  ExpectUnchanged({"false"});
  ExpectUnchanged({"sh", "-c", "kill -SEGV $$"});
}

TEST_F(MannersTest, Scenario06_BashAndItsChildrenAreUnchanged) {
  ExpectUnchanged(
      {"bash", "-c",
       "umask; trap; (echo child; exit 3); echo $?; exec 3>&1; ls /proc/self/fd | wc -l"});
}

TEST_F(MannersTest, Scenario06_PythonIsUnchanged) {
  ExpectUnchanged({"python3", "-c", R"(
import ctypes, os, signal, threading
print([signal.getsignal(s) == signal.SIG_DFL for s in range(1, 32)], oct(os.umask(0)))
t = threading.Thread(target=print, args=("thread",)); t.start(); t.join()
print(os.waitstatus_to_exitcode(os.waitpid(os.fork() or os._exit(5), 0)[1]))
)"});
}

TEST_F(MannersTest, Scenario06_AStaticProgramIsUnchanged) {
  // The dynamic loader's own program is linked statically.
  ExpectUnchanged({"/lib64/ld-linux-x86-64.so.2", "--version"});
  ExpectUnchanged({"/sbin/ldconfig", "--version"});
}

TEST_F(MannersTest, Scenario06_AJavaMachineIsUnchanged) {
  if (RunProgram({"sh", "-c", "command -v java"}, {}).exit_code != 0) GTEST_SKIP() << "no java";
  ExpectUnchanged({"java", "-Xshare:auto", "-version"});
}

// Its loader could not load ours, and has no reason to: as `warpshare run` starts it, without
// preloading.
TEST_F(MannersTest, Scenario06_AProgramOfMuslIsUnchanged) {
  const std::string program = tenant_.path() + "/musl";
  const Ran compiled = RunProgram({"sh", "-c",
                                   "echo '#include <stdio.h>\nint main(void) { puts(\"musl\"); "
                                   "return 7; }' | musl-gcc -x c - -o " +
                                       program},
                                  {});
  ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
  const Ran ran = RunProgram(
      {program}, {{"LD_LIBRARY_PATH", kInterposerDir}, {abi::kEnvTenantDir, tenant_.path()}});
  EXPECT_EQ(ran.exit_code, 7);
  EXPECT_EQ(ran.out, "musl\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(tenant_.usage().slot_ceiling, 0u);
}

TEST_F(MannersTest, Scenario06_NoDescriptorThreadOrSharedPageIsAdded) {
  const std::string script = "ls /proc/self/fd /proc/self/task | wc -l; grep -c " + tenant_.path() +
                             " /proc/self/maps; grep -c rw-s /proc/self/maps; true";
  ExpectUnchanged({"bash", "-c", script});
}

TEST_F(MannersTest, TheLibrariesAreReallyThere) {
  const Ran ran = RunProgram({"cat", "/proc/self/maps"}, Preloaded());
  EXPECT_NE(ran.out.find(kInterposerDir + "/libcuda.so.1"), std::string::npos);
  EXPECT_NE(ran.out.find(kInterposerDir + "/libnvidia-ml.so.1"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::testing
