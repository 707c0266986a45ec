// Which kind of object, which object, and where the API server has it.
#pragma once

#include <string>
#include <string_view>

namespace warpshare::kube {

struct Resource {
  std::string_view group = {};  // "": the first API, which has none
  std::string_view version = {};
  std::string_view plural = {};
  bool is_namespaced = true;
};

inline constexpr Resource kPods{"", "v1", "pods"};
inline constexpr Resource kNodes{"", "v1", "nodes", false};
inline constexpr Resource kEvents{"", "v1", "events"};
inline constexpr Resource kSecrets{"", "v1", "secrets"};
inline constexpr Resource kConfigMaps{"", "v1", "configmaps"};
inline constexpr Resource kNamespaces{"", "v1", "namespaces", false};
inline constexpr Resource kResourceQuotas{"", "v1", "resourcequotas"};
inline constexpr Resource kLeases{"coordination.k8s.io", "v1", "leases"};
inline constexpr Resource kMutatingWebhooks{"admissionregistration.k8s.io", "v1",
                                            "mutatingwebhookconfigurations", false};

struct ObjectName {
  std::string space = {};  // the namespace; "" for what has none
  std::string name = {};

  // "space/name", or "name".
  std::string Text() const { return space.empty() ? name : space + '/' + name; }
  bool operator==(const ObjectName&) const = default;
};

// "/api/v1/namespaces/default/pods"; an empty `space` is every namespace.
std::string CollectionPath(const Resource& resource, std::string_view space);

// "/api/v1/namespaces/default/pods/p/binding", the last part if one is given.
std::string ObjectPath(const Resource& resource, const ObjectName& name,
                       std::string_view subresource = "");

}  // namespace warpshare::kube
