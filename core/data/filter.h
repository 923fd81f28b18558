// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace millrace {

/// How a picture is resampled; the kernels say exactly what each does.
enum class Filter : std::uint8_t { Nearest, Bilinear, Bicubic };

}  // namespace millrace
