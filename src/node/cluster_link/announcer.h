// What the node says of itself on its Node object: which cards it has, in an annotation that the
// scheduler places by, what is held by processes of pods that are gone, in another, which
// cards another device plugin gave away, in a third, and the cards' memory and cores together as
// capacity, for the kubelet's admission, quotas, autoscalers and whoever looks. The kubelet sets
// such capacity to nothing when it registers anew; that and anything else that changed is put
// right. What is not known yet is left as it stands there.
//
// Threads: all on the client's loop.
#pragma once

#include <functional>
#include <string>

#include "node/cluster_link/announcement.h"
#include "platform/event_loop/event_loop.h"
#include "platform/kube/informer.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class Announcer {
 public:
  struct Setup {
    std::string node_name;
    // Asked every second, on the loop: health changes.
    std::function<Announcement()> current;
  };
  Announcer(kube::Client& client, Setup setup, platform::Log& log);
  void Start();

 private:
  void Seen(json::View node);
  void LookAgain();
  void PutRight();
  void Patch(std::string_view subresource, std::string patch);

  kube::Client& client_;
  const Setup setup_;
  platform::Log& log_;
  bool is_there_ = false;  // the Node object
  Announcement seen_;      // on it
  bool is_asked_ = false;  // a patch is on its way
  bool settles_ = false;   // it was made, and the watch has not told yet
  http::Call call_;
  platform::Timer timer_;
  kube::Informer informer_;  // the last: tells the others
};

}  // namespace warpshare::node
