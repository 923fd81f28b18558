// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace millrace::tests {

/// Kernels `(std::uint32_t* data, std::uint32_t* other, std::uint32_t count)` by name, some with a
/// defect and some without; see planted.cu. Only `takesMuch` has the parameters
/// `(data, 4100 bytes)`.
const std::map<std::string, const void*>& plantedKernels();

}  // namespace millrace::tests
