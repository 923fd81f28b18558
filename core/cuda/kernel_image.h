// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace millrace {

/// Whether the kernels of this build run on the calling thread's current device: its architecture
/// is among those compiled for, or PTX can be translated for it. Always on a build without CUDA.
Status kernelImageFits();

}  // namespace millrace
