#include "pods/host_mounts_json.h"

#include <gtest/gtest.h>

namespace warpshare::pods {
namespace {

// "container path", with "ro" or "rro" after it.
std::vector<std::string> MountsOf(const std::string& spec) {
  const auto document = json::Document::Parse(R"({"spec": )" + spec + "}");
  EXPECT_TRUE(document) << document.error().message;
  std::vector<std::string> words;
  for (const admit::HostMount& mount : HostMountsOf(document->root()))
    words.push_back(mount.container + ' ' + mount.path +
                    (mount.is_read_only_below ? " rro"
                     : mount.is_read_only     ? " ro"
                                              : ""));
  return words;
}

constexpr char kSpec[] = R"({"volumes": [
    {"name": "run", "hostPath": {"path": "/run"}}, {"name": "own", "emptyDir": {}}],
  "initContainers": [{"name": "i", "volumeMounts": [{"name": "run"}]}],
  "containers": [
    {"name": "a", "volumeMounts": [{"name": "own"}, {"name": "run", "subPath": "x/y"}]},
    {"name": "b", "volumeMounts": [
      {"name": "run", "readOnly": true},
      {"name": "run", "readOnly": true, "recursiveReadOnly": "Enabled"},
      {"name": "run", "readOnly": true, "recursiveReadOnly": "IfPossible"},
      {"name": "run", "subPathExpr": "$(X)-x"}]},
    {"name": "c"}]})";

TEST(HostMountsJson, AreOfEveryContainerThatMountsAFolderOfTheMachine) {
  EXPECT_EQ(MountsOf(kSpec), (std::vector<std::string>{"i /run", "a /run/x/y", "b /run ro",
                                                       "b /run rro", "b /run ro", "b /run"}));
}

TEST(HostMountsJson, NonsenseIsNoMount) {
  EXPECT_TRUE(MountsOf("3").empty());
  EXPECT_TRUE(MountsOf(R"({"volumes": {"name": "a"}, "containers": [3]})").empty());
  EXPECT_TRUE(MountsOf(R"({"volumes": [{"name": "a", "hostPath": 1}],
      "containers": [{"volumeMounts": [{"name": "a"}]}]})")
                  .empty());
}

}  // namespace
}  // namespace warpshare::pods
