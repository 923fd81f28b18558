// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

namespace millrace {

/// Whether this build's kernels run on the calling thread's current device: they were compiled for
/// its architecture, or their PTX can be translated for it. Always succeeds in a build without
/// CUDA.
Status kernelImageFits();

}  // namespace millrace
