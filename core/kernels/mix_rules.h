// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "core/kernels/element.h"

namespace millrace {

/// mix() (mix.h) for two elements; f32 arithmetic, f64 for f64.
struct MixedU8 : U8Element {
  /// With a share from 0 to 1 the sum stays in 0 to 255 except for its last bit, which rounding
  /// drops.
  MILLRACE_HOST_DEVICE static Stored write(float value) {
    return static_cast<Stored>(roundedToEven(value));
  }
};

template <class Element>
using MixReal = std::conditional_t<std::is_same_v<Element, F64Element>, double, float>;

template <class Element>
MILLRACE_HOST_DEVICE inline typename Element::Stored mixedElement(typename Element::Stored a,
                                                                  typename Element::Stored b,
                                                                  MixReal<Element> firstShare,
                                                                  MixReal<Element> secondShare) {
  return Element::write(firstShare * Element::read(a) + secondShare * Element::read(b));
}

}  // namespace millrace
