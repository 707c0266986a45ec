// A JSON patch (RFC 6902) of one object: texts put in and members taken out. Objects on the way
// that are not there are put in first, once.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "platform/json/json.h"
#include "platform/json/writer.h"

namespace warpshare::webhook {

// Names of members, or numbers of elements, from the object down.
using JsonPath = std::vector<std::string>;

// "/metadata/annotations/warpshare.io~1assignment"
std::string JsonPointer(const JsonPath& path);

class JsonPatch {
 public:
  // The patch is for that object, which outlives this.
  explicit JsonPatch(json::View object) : object_(object) {}

  void Put(const JsonPath& path, std::string_view text);
  void Remove(const JsonPath& path);  // of what is there

  bool empty() const { return operations_.empty(); }
  std::string Text() const;  // a JSON array

 private:
  void PutMissingParents(const JsonPath& path);
  void Append(std::string operation) { operations_.push_back(std::move(operation)); }

  json::View object_;
  std::vector<std::string> operations_;
  std::set<std::string> made_;  // pointers of objects that this patch puts in
};

}  // namespace warpshare::webhook
