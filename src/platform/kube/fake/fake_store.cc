#include "platform/kube/fake/fake_store.h"

#include <boost/json/value.hpp>

namespace warpshare::kube {
namespace {

namespace bj = boost::json;

std::string MetadataText(const bj::object& object, const char* name) {
  const bj::value* metadata = object.if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return "";
  const bj::value* found = metadata->get_object().if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

bj::object& MetadataOf(bj::object& object) {
  bj::value& metadata = object["metadata"];
  return metadata.is_object() ? metadata.get_object() : metadata.emplace_object();
}

// Calls `test(name, value, wanted)` for each term until one does not hold.
template <typename Test>
bool EachTerm(std::string_view selector, Test test) {
  while (!selector.empty()) {
    std::string_view term = selector.substr(0, selector.find(','));
    selector.remove_prefix(std::min(selector.size(), term.size() + 1));
    const size_t equals = term.find('=');
    const bool wanted = equals == 0 || equals == std::string_view::npos || term[equals - 1] != '!';
    const std::string_view name = term.substr(0, wanted ? equals : equals - 1);
    const std::string_view value = equals == std::string_view::npos ? "" : term.substr(equals + 1);
    if (!test(name, value, wanted)) return false;
  }
  return true;
}

std::string At(const bj::object& object, std::string_view path) {
  const bj::object* here = &object;
  while (true) {
    const size_t dot = path.find('.');
    const bj::value* found =
        here->if_contains(bj::string_view(path.data(), std::min(dot, path.size())));
    if (found == nullptr) return "";
    if (dot == std::string_view::npos) {
      return found->is_string() ? std::string(found->get_string()) : "";
    }
    if (!found->is_object()) return "";
    here = &found->get_object();
    path.remove_prefix(dot + 1);
  }
}

}  // namespace

std::string NameOf(const bj::object& object) { return MetadataText(object, "name"); }
std::string SpaceOf(const bj::object& object) { return MetadataText(object, "namespace"); }
std::string KeyOf(const bj::object& object) { return SpaceOf(object) + '/' + NameOf(object); }

bj::object* FakeStore::Find(const std::string& collection, const std::string& key) {
  auto& all = objects_[collection];
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

const bj::object& FakeStore::Add(const std::string& collection, const std::string& space,
                                 bj::object object) {
  bj::object& metadata = MetadataOf(object);
  if (!space.empty()) metadata["namespace"] = space;
  metadata["uid"] = "uid-" + std::to_string(++last_uid_);
  metadata["resourceVersion"] = std::to_string(++version_);
  const std::string key = KeyOf(object);
  bj::object& kept = objects_[collection][key] = std::move(object);
  Tell("ADDED", collection, kept);
  return kept;
}

void FakeStore::Changed(const std::string& collection, bj::object& found) {
  MetadataOf(found)["resourceVersion"] = std::to_string(++version_);
  Tell("MODIFIED", collection, found);
}

bj::object FakeStore::Remove(const std::string& collection, const std::string& key) {
  auto removed = objects_[collection].extract(key);
  MetadataOf(removed.mapped())["resourceVersion"] = std::to_string(++version_);
  Tell("DELETED", collection, removed.mapped());
  return std::move(removed.mapped());
}

void FakeStore::Tell(std::string type, const std::string& collection, const bj::object& object) {
  history_.push_back({version_, std::move(type), collection, SpaceOf(object), object});
}

std::optional<std::vector<const FakeChange*>> FakeStore::Since(uint64_t version) const {
  if (version < forgotten_) return std::nullopt;
  std::vector<const FakeChange*> changes;
  for (const FakeChange& change : history_) {
    if (change.version > version) changes.push_back(&change);
  }
  return changes;
}

void Merge(bj::object& into, const bj::object& patch) {
  for (const auto& member : patch) {
    if (member.value().is_null()) {
      into.erase(member.key());
    } else if (member.value().is_object()) {
      bj::value& there = into[member.key()];
      if (!there.is_object()) there.emplace_object();
      Merge(there.get_object(), member.value().get_object());
    } else {
      into[member.key()] = member.value();
    }
  }
}

bool FieldsMatch(const bj::object& object, const std::string& selector) {
  return EachTerm(selector, [&](auto name, auto value, bool wanted) {
    return (At(object, name) == value) == wanted;
  });
}

bool LabelsMatch(const bj::object& object, const std::string& selector) {
  const bj::value* metadata = object.if_contains("metadata");
  const bj::value* labels =
      metadata != nullptr ? metadata->get_object().if_contains("labels") : nullptr;
  return EachTerm(selector, [&](auto name, auto value, bool wanted) {
    const bj::value* label = labels == nullptr || !labels->is_object()
                                 ? nullptr
                                 : labels->get_object().if_contains({name.data(), name.size()});
    const bool same =
        label != nullptr && label->is_string() && std::string_view(label->get_string()) == value;
    return same == wanted;
  });
}

}  // namespace warpshare::kube
