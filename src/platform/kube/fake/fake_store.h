// The objects of an API server in memory, with versions and the history that watches are told.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpshare::kube {

struct FakeChange {
  uint64_t version;
  std::string type;  // "ADDED", "MODIFIED", "DELETED"
  std::string collection;
  std::string space;
  boost::json::object object;
};

class FakeStore {
 public:
  // `collection` is "/api/v1/pods": the same for all namespaces. Keys are "space/name".
  boost::json::object* Find(const std::string& collection, const std::string& key);
  std::map<std::string, boost::json::object>& In(const std::string& collection) {
    return objects_[collection];
  }

  // Gives the object its uid and version, and tells the history. The caller has checked names.
  const boost::json::object& Add(const std::string& collection, const std::string& space,
                                 boost::json::object object);
  // `found` was changed in place.
  void Changed(const std::string& collection, boost::json::object& found);
  boost::json::object Remove(const std::string& collection, const std::string& key);

  uint64_t version() const { return version_; }

  // What came after `version`; none when that is not known any more.
  std::optional<std::vector<const FakeChange*>> Since(uint64_t version) const;
  void Forget() {
    history_.clear();
    forgotten_ = version_;
  }

 private:
  void Tell(std::string type, const std::string& collection, const boost::json::object& object);

  std::map<std::string, std::map<std::string, boost::json::object>> objects_;
  std::deque<FakeChange> history_;
  uint64_t version_ = 100;
  uint64_t forgotten_ = 100;  // up to and with this version
  uint64_t last_uid_ = 0;
};

std::string NameOf(const boost::json::object& object);
std::string SpaceOf(const boost::json::object& object);
std::string KeyOf(const boost::json::object& object);  // "space/name"

// RFC 7386: null removes, objects are merged, anything else replaces.
void Merge(boost::json::object& into, const boost::json::object& patch);

// "a.b=c,d!=e" for fields, "a=b,c" for labels; what it does not know matches nothing.
bool FieldsMatch(const boost::json::object& object, const std::string& selector);
bool LabelsMatch(const boost::json::object& object, const std::string& selector);

}  // namespace warpshare::kube
