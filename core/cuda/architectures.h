// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// Whether kernels compiled for `architectures` (a comma-separated CMAKE_CUDA_ARCHITECTURES such as
/// "75-real,90-real,120" or "90") run on a device of this compute capability. Binary code needs the
/// same major and no higher minor number; PTX must not be newer than the device (CUDA C++
/// Programming Guide, Application Compatibility). Does not access a device.
bool kernelsRunOn(std::string_view architectures, int major, int minor);

}  // namespace millrace
