// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Formats that this version recognises and names, but cannot read.
#include "core/formats/format.h"

namespace millrace {

Format ffcvFormat();
Format ffcvFormat() {
  Format format;
  format.name = "ffcv";
  format.title = "FFCV";
  format.isFileName = [](std::string_view name) { return name.ends_with(".beton"); };
  format.onlyNamed = true;
  return format;
}

}  // namespace millrace
