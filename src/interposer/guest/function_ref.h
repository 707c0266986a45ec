// A callable passed down, not kept: two words, no memory, nothing to destroy. What it refers to
// must outlive the call it is passed to, which a lambda in the argument list does.
#pragma once

#include <type_traits>

namespace warpshare::guest {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_invocable_r_v<Result, Callable&, Arguments...>)
  FunctionRef(Callable&& callable)  // NOLINT(google-explicit-constructor): stands for any callable
      : object_(const_cast<void*>(static_cast<const void*>(&callable))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(object))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

 private:
  void* object_;
  Result (*call_)(void* object, Arguments... arguments);
};

}  // namespace warpshare::guest
