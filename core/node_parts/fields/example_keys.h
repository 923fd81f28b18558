// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/param_binding.h"

namespace millrace::nodes {

/// Label and help of a parameter that parseExampleKeys() parses.
inline ParamBuilder& describeKeys(ParamBuilder& keys) {
  return keys.label("Keys").help(
      "The fields to read and their keys, as NAME=KEY. If the data does not state them, append an "
      "element type, a shape and a role, each after a colon: image=image/encoded, "
      "board=d:u8:8x8x3:image, score=s:i64:scalar. Empty: pictures and labels, or else everything "
      "that has a fixed size.");
}

}  // namespace millrace::nodes
