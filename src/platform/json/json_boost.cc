#include "platform/json/json.h"

#include <algorithm>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>
#include <optional>

namespace warpshare::json {
namespace {

namespace bj = boost::json;

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (LowerCase(a[i]) != LowerCase(b[i])) return false;
  }
  return true;
}

std::string_view Std(bj::string_view text) { return {text.data(), text.size()}; }

// The steps from `from` down to the value at this very address.
std::optional<std::string> PathTo(const bj::value* wanted, const bj::value& from) {
  if (&from == wanted) return "";
  if (const auto* array = from.if_array()) {
    for (size_t i = 0; i < array->size(); ++i) {
      if (auto rest = PathTo(wanted, (*array)[i])) return '[' + std::to_string(i) + ']' + *rest;
    }
  } else if (const auto* object = from.if_object()) {
    for (const auto& member : *object) {
      if (auto rest = PathTo(wanted, member.value())) {
        return '.' + std::string(Std(member.key())) + *rest;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Kind View::kind() const {
  if (here_ == nullptr) return Kind::kAbsent;
  switch (here_->kind()) {
    case bj::kind::null:
      return Kind::kNull;
    case bj::kind::bool_:
      return Kind::kBoolean;
    case bj::kind::int64:
      return Kind::kInteger;
    case bj::kind::uint64:
      return Kind::kNumber;  // Boost takes it for what int64 cannot hold only
    case bj::kind::double_:
      return Kind::kNumber;
    case bj::kind::string:
      return Kind::kString;
    case bj::kind::array:
      return Kind::kArray;
    case bj::kind::object:
      return Kind::kObject;
  }
  return Kind::kNull;
}

View View::operator[](std::string_view name) const {
  if (here_ == nullptr) return *this;
  View found = *this;
  const auto* object = here_->if_object();
  found.here_ = object == nullptr ? nullptr : object->if_contains({name.data(), name.size()});
  found.above_ = here_;
  found.name_ = name;
  return found;
}

View View::operator[](size_t index) const {
  if (here_ == nullptr) return *this;
  View found = *this;
  const auto* array = here_->if_array();
  found.here_ = array == nullptr ? nullptr : array->if_contains(index);
  found.above_ = here_;
  found.name_ = {};
  found.index_ = index;
  return found;
}

View View::AnyCase(std::string_view name) const {
  View found = (*this)[name];
  if (found || here_ == nullptr || !here_->is_object()) return found;
  for (const auto& member : here_->get_object()) {
    if (SameIgnoringCase(Std(member.key()), name)) found.here_ = &member.value();
  }
  return found;
}

size_t View::size() const {
  if (here_ == nullptr) return 0;
  if (const auto* array = here_->if_array()) return array->size();
  if (const auto* object = here_->if_object()) return object->size();
  return 0;
}

std::string_view View::StringOr(std::string_view fallback) const {
  const auto* string = here_ == nullptr ? nullptr : here_->if_string();
  return string == nullptr ? fallback : std::string_view(string->data(), string->size());
}

int64_t View::IntegerOr(int64_t fallback) const {
  const auto* integer = here_ == nullptr ? nullptr : here_->if_int64();
  return integer == nullptr ? fallback : *integer;
}

bool View::BooleanOr(bool fallback) const {
  const auto* boolean = here_ == nullptr ? nullptr : here_->if_bool();
  return boolean == nullptr ? fallback : *boolean;
}

Result<std::string_view> View::String() const {
  if (kind() != Kind::kString) return Wrong("expected a string");
  return StringOr("");
}

Result<int64_t> View::Integer() const {
  if (kind() != Kind::kInteger) return Wrong("expected a whole number");
  return IntegerOr(0);
}

Result<double> View::Number() const {
  if (kind() != Kind::kInteger && kind() != Kind::kNumber) return Wrong("expected a number");
  if (const auto* integer = here_->if_int64()) return static_cast<double>(*integer);
  if (const auto* large = here_->if_uint64()) return static_cast<double>(*large);
  return here_->get_double();
}

Result<bool> View::Boolean() const {
  if (kind() != Kind::kBoolean) return Wrong("expected true or false");
  return BooleanOr(false);
}

Result<View> View::Array() const {
  if (kind() != Kind::kArray) return Wrong("expected a list");
  return *this;
}

Result<View> View::Object() const {
  if (kind() != Kind::kObject) return Wrong("expected an object");
  return *this;
}

View View::ItemAt(const View& array, size_t index) { return array[index]; }

Member View::MemberAt(const View& object, size_t index) {
  const auto& member = *(object.here_->get_object().begin() + index);
  Member found{.name = Std(member.key()), .value = object};
  found.value.here_ = &member.value();
  found.value.above_ = object.here_;
  return found;
}

Elements<View, &View::ItemAt> View::items() const {
  return {*this, kind() == Kind::kArray ? size() : 0};
}

Elements<Member, &View::MemberAt> View::members() const {
  return {*this, kind() == Kind::kObject ? size() : 0};
}

std::string View::Path() const {
  if (root_ == nullptr) return "";
  std::string path = PathTo(here_ != nullptr ? here_ : above_, *root_).value_or("");
  if (here_ == nullptr) {
    path += name_.empty() ? '[' + std::to_string(index_) + ']' : '.' + std::string(name_);
  }
  return path.starts_with('.') ? path.substr(1) : path;
}

Failure View::Wrong(std::string_view what) const {
  std::string text = Path();
  if (text.empty()) text = "the document";
  text += ": ";
  if (!exists()) text += "missing, ";
  text += what;
  return Fail(Errc::kInvalid, std::move(text));
}

std::string View::Text() const { return here_ == nullptr ? "null" : bj::serialize(*here_); }

// The values are never freed one by one: they go with their memory.
struct Document::Impl {
  bj::monotonic_resource memory;
  bj::value value = bj::value(bj::storage_ptr(&memory));
};

namespace {

// What is too large for a double is read as infinity, which JSON has no word for.
bool HoldsInfinity(const bj::value& value) {
  if (const double* number = value.if_double()) return !std::isfinite(*number);
  if (const bj::array* array = value.if_array()) return std::ranges::any_of(*array, HoldsInfinity);
  const bj::object* object = value.if_object();
  return object != nullptr && std::ranges::any_of(*object, [](const bj::key_value_pair& member) {
           return HoldsInfinity(member.value());
         });
}

}  // namespace

Document::Document() = default;
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

Result<Document> Document::Parse(std::string_view text, Limits limits) {
  if (text.size() > limits.bytes) {
    return Fail(Errc::kInvalid, "the document is over " + std::to_string(limits.bytes) + " bytes");
  }
  Document document;
  document.impl_ = std::make_unique<Impl>();
  bj::parser parser({}, {.max_depth = limits.depth});
  parser.reset(&document.impl_->memory);
  bj::error_code error;
  const size_t used = parser.write(text.data(), text.size(), error);
  if (error) {
    return Fail(Errc::kInvalid,
                "not JSON at byte " + std::to_string(used) + ": " + error.message());
  }
  document.impl_->value = parser.release();
  if (HoldsInfinity(document.impl_->value))
    return Fail(Errc::kInvalid, "a number is larger than a double can be");
  return document;
}

View Document::root() const {
  static const bj::value nothing(nullptr);
  View view;
  view.root_ = impl_ ? &impl_->value : &nothing;
  view.here_ = view.root_;
  return view;
}

}  // namespace warpshare::json
