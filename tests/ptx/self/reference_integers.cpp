// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <type_traits>

#include "tests/ptx/self/references.h"

namespace millrace::tests {

namespace {

using Wide = __int128;

/// Computes with A and B in 128 bits; the lower bits are the result.
template <class To, class T>
Reference whole(Wide (*of)(Wide, Wide, Wide)) {
  return [of](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bitsOf(static_cast<To>(of(valueOf<T>(a), valueOf<T>(b), valueOf<To>(c))));
  };
}

Wide sum(Wide a, Wide b, Wide) { return a + b; }
Wide difference(Wide a, Wide b, Wide) { return a - b; }
/// The upper half of a product of unsigned 64-bit numbers does not fit a signed number.
Wide product(Wide a, Wide b, Wide) {
  return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
Wide productAndSum(Wide a, Wide b, Wide c) { return product(a, b, 0) + c; }
/// Division by 0 is unspecified; this is the device's result.
Wide quotient(Wide a, Wide b, Wide) { return b == 0 ? -1 : a / b; }
Wide rest(Wide a, Wide b, Wide) { return b == 0 ? a : a % b; }
Wide least(Wide a, Wide b, Wide) { return std::min(a, b); }
Wide most(Wide a, Wide b, Wide) { return std::max(a, b); }
Wide magnitude(Wide a, Wide, Wide) { return a < 0 ? -a : a; }
Wide negative(Wide a, Wide, Wide) { return -a; }
Wide saturatedSum(Wide a, Wide b, Wide) { return std::clamp<Wide>(a + b, INT32_MIN, INT32_MAX); }

template <class T>
Reference upper(bool adds) {
  return [adds](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    using Twice = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    const Twice all = static_cast<Twice>(valueOf<T>(a)) * static_cast<Twice>(valueOf<T>(b));
    const T high = static_cast<T>(all >> (8 * sizeof(T)));
    return bitsOf(static_cast<T>(adds ? high + valueOf<T>(c) : high));
  };
}

template <class T>
void addComparisons(References& all, const std::string& type) {
  const auto add = [&](const std::string& name, bool (*of)(T, T)) {
    all["setp." + name + "." + type] = [of](std::uint64_t a, std::uint64_t b, std::uint64_t) {
      return std::uint64_t{of(valueOf<T>(a), valueOf<T>(b))};
    };
  };
  add("eq", [](T a, T b) { return a == b; });
  add("ne", [](T a, T b) { return a < b || a > b; });
  add("lt", [](T a, T b) { return a < b; });
  add("le", [](T a, T b) { return a <= b; });
  add("gt", [](T a, T b) { return a > b; });
  add("ge", [](T a, T b) { return a >= b; });
  if constexpr (std::is_floating_point_v<T>) {
    add("equ", [](T a, T b) { return !(a < b) && !(a > b); });
    add("neu", [](T a, T b) { return !(a == b); });
    add("ltu", [](T a, T b) { return !(a >= b); });
    add("leu", [](T a, T b) { return !(a > b); });
    add("gtu", [](T a, T b) { return !(a <= b); });
    add("geu", [](T a, T b) { return !(a < b); });
    add("num", [](T a, T b) { return a == a && b == b; });
    add("nan", [](T a, T b) { return a != a || b != b; });
  }
}

template <class S>
void addOfWidth(References& all, const std::string& bits) {
  using U = std::make_unsigned_t<S>;
  const std::string s = ".s" + bits;
  const std::string u = ".u" + bits;
  all["add" + s] = whole<S, S>(&sum);
  all["sub" + s] = whole<S, S>(&difference);
  all["mul.lo" + s] = whole<S, S>(&product);
  all["mul.lo" + u] = whole<U, U>(&product);
  all["mul.hi" + s] = upper<S>(false);
  all["mul.hi" + u] = upper<U>(false);
  all["mad.hi" + u] = upper<U>(true);
  all["mad.lo" + s] = whole<S, S>(&productAndSum);
  all["div" + s] = whole<S, S>(&quotient);
  all["div" + u] = whole<U, U>(&quotient);
  all["rem" + s] = whole<S, S>(&rest);
  all["rem" + u] = whole<U, U>(&rest);
  all["min" + s] = whole<S, S>(&least);
  all["min" + u] = whole<U, U>(&least);
  all["max" + s] = whole<S, S>(&most);
  all["max" + u] = whole<U, U>(&most);
  all["abs" + s] = whole<S, S>(&magnitude);
  all["neg" + s] = whole<S, S>(&negative);
  addComparisons<S>(all, s.substr(1));
  addComparisons<U>(all, u.substr(1));
}

}  // namespace

void addIntegerReferences(References& all) {
  addOfWidth<std::int16_t>(all, "16");
  addOfWidth<std::int32_t>(all, "32");
  addOfWidth<std::int64_t>(all, "64");
  all["add.sat.s32"] = whole<std::int32_t, std::int32_t>(&saturatedSum);
  all["mul.wide.s16"] = whole<std::int32_t, std::int16_t>(&product);
  all["mul.wide.u16"] = whole<std::uint32_t, std::uint16_t>(&product);
  all["mul.wide.s32"] = whole<std::int64_t, std::int32_t>(&product);
  all["mul.wide.u32"] = whole<std::uint64_t, std::uint32_t>(&product);
  all["mad.wide.s32"] = whole<std::int64_t, std::int32_t>(&productAndSum);
  all["mad.wide.u32"] = whole<std::uint64_t, std::uint32_t>(&productAndSum);
  addComparisons<float>(all, "f32");
  addComparisons<double>(all, "f64");
}

}  // namespace millrace::tests
