// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/param_binding.h"

namespace millrace::nodes {

/// Label and help of a parameter that parseExampleKeys reads.
inline ParamBuilder& describeKeys(ParamBuilder& keys) {
  return keys.label("Keys").help(
      "Fields and the keys that they come from: NAME=KEY, then, each behind a colon and where the "
      "data does not say it, an element type, a shape and a role: image=image/encoded, "
      "board=d:u8:8x8x3:image, score=s:i64:scalar. Empty: pictures and labels, else whatever has "
      "one size.");
}

}  // namespace millrace::nodes
