// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace millrace::tests {

/// Whether two types are passed to a function in the same way: same size, same kind of register.
template <class Ours, class Theirs>
inline constexpr bool kAlike =
    sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs> &&
    std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs> &&
    std::is_class_v<Ours> == std::is_class_v<Theirs>;

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class R, class... A, class S, class... B>
struct SameCall<R (*)(A...), S (*)(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) == sizeof...(B))
      return kAlike<R, S> && (kAlike<A, B> && ...);
    else
      return false;
  }();
};

template <class Ours, class Theirs>
constexpr bool sameCall(Ours, Theirs) {
  return SameCall<Ours, Theirs>::value;
}

}  // namespace millrace::tests
