#include "node/cluster_link/pod_writer.h"

#include "node/device_plugin/pod_json.h"
#include "platform/kube/fake/kube_test.h"

namespace warpshare::node {
namespace {

constexpr char kPod[] = R"({
  "metadata": {"namespace": "team", "name": "train"},
  "spec": {"nodeName": "n1", "containers": [
    {"name": "main", "resources": {"limits": {"warpshare.io/gpu-memory": "4096"}}}]}})";
const kube::ObjectName kName{.space = "team", .name = "train"};

class NoLog final : public platform::Log {
 public:
  void Line(std::string_view) override {}
};

class PodWriterTest : public kube::KubeTest {
 protected:
  PodWriterTest() { server_.Create(kube::kPods, "team", kPod); }

  PodOnNode Read() {
    return *PodFromJson(json::Document::Parse(server_.Get(kube::kPods, kName))->root());
  }
  bool IsPatched(size_t times) {
    return Until([&] { return server_.Asked("PATCH /api/v1/pods") == times; });
  }

  NoLog log_;
  PodWriter writer_{*client_, log_};
};

TEST_F(PodWriterTest, WritesWhatAPodWasGiven) {
  writer_.WriteAssignment(Read(), "v1;n1");
  ASSERT_TRUE(IsPatched(1));
  EXPECT_TRUE(Until([&] { return Read().untrusted_assignment == "v1;n1"; }));
}

TEST_F(PodWriterTest, WritesOverNothingThatIsNewerThanWhatItRead) {
  const PodOnNode old = Read();
  server_.Merge(kube::kPods, kName,
                R"({"metadata":{"annotations":{"warpshare.io/assignment":"v1;n2"}}})");
  writer_.WriteAssignment(old, "v1;n1");
  ASSERT_TRUE(IsPatched(1));
  writer_.Warn(old, "Any", "which comes after it");
  ASSERT_TRUE(Until([&] { return server_.Count(kube::kEvents) == 1; }));
  EXPECT_EQ(Read().untrusted_assignment, "v1;n2");
}

}  // namespace
}  // namespace warpshare::node
