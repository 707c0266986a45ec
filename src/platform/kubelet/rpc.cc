#include "platform/kubelet/rpc.h"

namespace warpshare::platform::kubelet {

namespace {

grpc::StatusCode CodeOf(Errc code) {
  switch (code) {
    case Errc::kInvalid:
    case Errc::kCorrupt:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case Errc::kNotFound:
      return grpc::StatusCode::NOT_FOUND;
    case Errc::kPermission:
      return grpc::StatusCode::PERMISSION_DENIED;
    case Errc::kConflict:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case Errc::kUnavailable:
      return grpc::StatusCode::UNAVAILABLE;
    case Errc::kSystem:
    case Errc::kNotRunnable:
      break;
  }
  return grpc::StatusCode::INTERNAL;
}

Errc CodeOf(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::INVALID_ARGUMENT:
      return Errc::kInvalid;
    case grpc::StatusCode::NOT_FOUND:
    case grpc::StatusCode::UNIMPLEMENTED:  // an older kubelet
      return Errc::kNotFound;
    case grpc::StatusCode::PERMISSION_DENIED:
      return Errc::kPermission;
    case grpc::StatusCode::FAILED_PRECONDITION:
      return Errc::kConflict;
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:  // the kubelet's rate limit
      return Errc::kUnavailable;
    default:
      return Errc::kSystem;
  }
}

}  // namespace

grpc::Status StatusOf(const Error& error) { return {CodeOf(error.code), error.message}; }

Error ErrorOf(const std::string& what, const grpc::Status& status) {
  return {CodeOf(status.error_code()), what + ": " + status.error_message()};
}

std::shared_ptr<grpc::Channel> ChannelTo(const std::string& socket_path) {
  grpc::ChannelArguments arguments;
  // Go's server refuses an authority that is a path.
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
  // A channel of its own each time: after a restart of the kubelet, no state of an old one.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel("unix://" + socket_path, grpc::InsecureChannelCredentials(),
                                   arguments);
}

void SetDeadline(grpc::ClientContext& context, std::chrono::milliseconds patience) {
  context.set_deadline(std::chrono::system_clock::now() + patience);
}

}  // namespace warpshare::platform::kubelet
