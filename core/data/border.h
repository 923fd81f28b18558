// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace millrace {

/// The pixels outside a picture `abcd`; Keras' fill_mode in brackets.
enum class Border : std::uint8_t {
  Constant,   ///< kkkk|abcd|kkkk (constant)
  Edge,       ///< aaaa|abcd|dddd (nearest)
  Symmetric,  ///< dcba|abcd|dcba (reflect)
  Reflect,    ///< xdcb|abcd|cbax (reflect101; torchvision's reflect)
  Wrap,       ///< abcd|abcd|abcd (wrap)
};

}  // namespace millrace
