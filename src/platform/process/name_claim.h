// Names of this machine that one process holds at a time, an abstract Unix socket each: no file, no
// rights needed, and the kernel drops it with the process, whatever ended it. Any user may hold any
// name, so that somebody does is a reason to say so and never one to refuse. Who is in a network
// namespace of its own, as pods are, has names of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::platform {

class NameClaim {
 public:
  // At most 100 characters. None: somebody has it.
  static Result<std::optional<NameClaim>> Take(const std::string& name);

  // To be called now and then: each look at who holds the name leaves something behind.
  void TidyUp() const;

 private:
  explicit NameClaim(Descriptor socket) : socket_(std::move(socket)) {}

  Descriptor socket_;
};

struct NameHolder {
  pid_t pid;  // 0 where it cannot be seen from here
  uid_t user;
};

// None: nobody, or somebody who does not tidy up.
std::optional<NameHolder> FindNameHolder(const std::string& name);

}  // namespace warpshare::platform
