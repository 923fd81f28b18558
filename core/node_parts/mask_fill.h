// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/describe.h"

namespace millrace {

/// The parameter of all nodes that add pixels to masks.
template <class Params>
ParamBuilder describeMaskFill(Describe<Params>& d, RealList Params::* member) {
  return d.reals("mask_fill", member)
      .label("Mask fill")
      .help(
          "Content of the pixels that are added to masks: a class index, or for masks that hold "
          "colours one value per channel. Many loss functions ignore 255.")
      .range(0, 255);
}

}  // namespace millrace
