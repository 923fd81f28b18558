// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace millrace::tests {

/// Kernels of `(std::uint32_t* data, std::uint32_t* other, std::uint32_t count)` by their names:
/// with a defect each, and without one; planted.cu says which. `takesMuch` alone has
/// `(data, 4100 bytes)`.
const std::map<std::string, const void*>& plantedKernels();

}  // namespace millrace::tests
