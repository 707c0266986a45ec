#include "cluster/webhook/json_patch.h"

#include <charconv>
#include <utility>

namespace warpshare::webhook {

namespace {

json::View Step(const json::View& from, const std::string& name) {
  if (from.kind() != json::Kind::kArray) return from[name];
  size_t index = 0;
  std::from_chars(name.data(), name.data() + name.size(), index);
  return from[index];
}

std::string Escaped(const std::string& name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '~')
      escaped += "~0";
    else if (c == '/')
      escaped += "~1";
    else
      escaped += c;
  }
  return escaped;
}

std::string Operation(const char* name, const std::string& pointer, const std::string& json) {
  json::Writer writer;
  writer.BeginObject().Member("op", name).Member("path", pointer);
  if (!json.empty()) writer.Key("value").Raw(json);
  return writer.EndObject().Take();
}

}  // namespace

std::string JsonPointer(const JsonPath& path) {
  std::string pointer;
  for (const std::string& name : path) pointer += '/' + Escaped(name);
  return pointer;
}

void JsonPatch::Put(const JsonPath& path, std::string_view text) {
  PutMissingParents(path);
  Append(Operation("add", JsonPointer(path), json::Quoted(text)));
}

void JsonPatch::Remove(const JsonPath& path) { Append(Operation("remove", JsonPointer(path), "")); }

// null is as good as nothing: Go writes it for maps that are not there.
void JsonPatch::PutMissingParents(const JsonPath& path) {
  json::View here = object_;
  for (size_t depth = 1; depth < path.size(); ++depth) {
    here = Step(here, path[depth - 1]);
    if (here.exists() && here.kind() != json::Kind::kNull) continue;
    const std::string pointer =
        JsonPointer(JsonPath(path.begin(), path.begin() + static_cast<ptrdiff_t>(depth)));
    if (made_.insert(pointer).second) Append(Operation("add", pointer, "{}"));
  }
}

std::string JsonPatch::Text() const {
  json::Writer writer;
  writer.BeginArray();
  for (const std::string& operation : operations_) writer.Raw(operation);
  return writer.EndArray().Take();
}

}  // namespace warpshare::webhook
