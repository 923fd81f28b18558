// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace millrace {

/// Why no GPU can be used, and what to do about it; sentences without full stop.
struct CudaTrouble {
  std::string trouble;
  std::string remedy;
};

/// What the runtime returned when it looked for devices. Versions as in CudaFacts.
struct CudaRefusal {
  int code = 0;  ///< cudaError_t
  std::string message;
  std::string driver;   ///< empty: no driver
  std::string runtime;  ///< what this build needs
};
CudaTrouble explained(const CudaRefusal& refusal);

/// The trouble of a process that was forked after its parent had looked for a GPU.
CudaTrouble troubleAfterFork();

/// Adds to a device error how to run on the CPU instead.
Error withCpuHint(const std::string& message);

}  // namespace millrace
