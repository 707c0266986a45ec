// What all gRPC here has in common: statuses, and channels to the kubelet's sockets. Inside of the
// room only.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "result/result.h"

namespace warpshare::platform::kubelet {

grpc::Status StatusOf(const Error& error);
Error ErrorOf(const std::string& what, const grpc::Status& status);

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& socket_path);

// No call to the kubelet waits longer.
void SetDeadline(grpc::ClientContext& context, std::chrono::milliseconds patience);

}  // namespace warpshare::platform::kubelet
