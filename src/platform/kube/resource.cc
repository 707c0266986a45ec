#include "platform/kube/resource.h"

#include "platform/http/message.h"

namespace warpshare::kube {

std::string CollectionPath(const Resource& resource, std::string_view space) {
  std::string path(resource.group.empty() ? "/api/" : "/apis/");
  if (!resource.group.empty()) path.append(resource.group) += '/';
  path.append(resource.version) += '/';
  if (!space.empty() && resource.is_namespaced) {
    path += "namespaces/" + http::UrlEncode(space) + '/';
  }
  return path.append(resource.plural);
}

std::string ObjectPath(const Resource& resource, const ObjectName& name,
                       std::string_view subresource) {
  std::string path = CollectionPath(resource, name.space) + '/' + http::UrlEncode(name.name);
  if (!subresource.empty()) (path += '/').append(subresource);
  return path;
}

}  // namespace warpshare::kube
