// JSON from outside, read with limits, and looked at with errors that say where:
// "spec.containers[2] .name: expected a string".
//
// A View is a place in a Document, or a place where nothing is: looking into what is not there
// gives another such place, so that `pod["spec"]["nodeName"].StringOr("")` needs no checks on the
// way. Views and the texts they give out live as long as their Document; names asked for live as
// long as the View (a literal, as a rule).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "result/result.h"

namespace boost::json {
class value;  // NOLINT(readability-identifier-naming): Boost's own
}

namespace warpshare::json {

enum class Kind : uint8_t {
  kAbsent,
  kNull,
  kBoolean,
  kInteger,  // fits into int64_t
  kNumber,   // any other number
  kString,
  kArray,
  kObject,
};

template <typename Element, Element (*kAt)(const class View&, size_t)>
class Elements;
struct Member;

class View {
 public:
  View() = default;

  Kind kind() const;
  bool exists() const { return here_ != nullptr; }  // null does exist
  explicit operator bool() const { return exists(); }

  // The member of an object, the element of an array; absent when there is no such thing.
  View operator[](std::string_view name) const;
  View operator[](size_t index) const;
  // As Go reads names of fields: the exact name if it is there, else one that differs in case.
  View AnyCase(std::string_view name) const;

  size_t size() const;  // of an array or object; else 0

  // For what may be left out, or is somebody else's to check: the fallback for any other kind.
  std::string_view StringOr(std::string_view fallback) const;
  int64_t IntegerOr(int64_t fallback) const;
  bool BooleanOr(bool fallback) const;

  // For what has to be there.
  Result<std::string_view> String() const;
  Result<int64_t> Integer() const;
  Result<double> Number() const;
  Result<bool> Boolean() const;
  Result<View> Array() const;
  Result<View> Object() const;

  // For ranges: `for (View item : view.items())`, `for (auto [name, value] : view.members())`;
  // empty for any other kind. Members come in the order of the text.
  static View ItemAt(const View& array, size_t index);
  static Member MemberAt(const View& object, size_t index);
  Elements<View, &View::ItemAt> items() const;
  Elements<Member, &View::MemberAt> members() const;

  // "spec.containers[2].name"; "" for the whole document. It is searched for: for error texts only.
  std::string Path() const;

  // "<path>: <what>"
  Failure Wrong(std::string_view what) const;

  // As JSON again, in one line.
  std::string Text() const;

 private:
  friend class Document;
  const boost::json::value* root_ = nullptr;
  const boost::json::value* here_ = nullptr;  // null: absent, and the rest says where it would be
  const boost::json::value* above_ = nullptr;
  std::string_view name_;
  size_t index_ = 0;
};

struct Member {
  std::string_view name;
  View value;
};

template <typename Element, Element (*kAt)(const View&, size_t)>
class Elements {
 public:
  struct Iterator {
    const View* whole;
    size_t index;
    Element operator*() const { return kAt(*whole, index); }
    Iterator& operator++() { return ++index, *this; }
    bool operator!=(const Iterator& other) const { return index != other.index; }
  };

  Elements(View whole, size_t size) : whole_(whole), size_(size) {}
  Iterator begin() const { return {&whole_, 0}; }
  Iterator end() const { return {&whole_, size_}; }

 private:
  View whole_;
  size_t size_;
};

struct Limits {
  size_t bytes = 8 * 1024 * 1024;
  size_t depth = 64;
};

class Document {
 public:
  Document();  // null
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  // One value and nothing after it. The error says at which byte the text stops making sense.
  static Result<Document> Parse(std::string_view text, Limits limits = {});

  View root() const;
  View operator[](std::string_view name) const { return root()[name]; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpshare::json
