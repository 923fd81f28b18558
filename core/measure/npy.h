// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "core/base/result.h"
#include "core/data/dtype.h"
#include "core/data/shape.h"

namespace millrace {

/// Writes an array as NumPy's .npy, version 1.0 (numpy.lib.format, NEP 1), little-endian, C order.
/// bf16, which NumPy does not have, is written as u2. The error names the file.
Status writeNpy(const std::filesystem::path& file, DType dtype, const Shape& shape,
                std::span<const std::byte> content);

}  // namespace millrace
