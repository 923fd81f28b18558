// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// Whether kernels that were compiled for `architectures`, as CMAKE_CUDA_ARCHITECTURES lists them
/// with commas ("75-real,90-real,120", "90"), run on a device of this compute capability: code of
/// the same major number and no higher minor one, or PTX no newer than it (CUDA C++ Programming
/// Guide, Application Compatibility). Asks no device.
bool kernelsRunOn(std::string_view architectures, int major, int minor);

}  // namespace millrace
