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

/// What the runtime said when it looked for devices. Versions as in CudaFacts.
struct CudaRefusal {
  int code = 0;  ///< cudaError_t
  std::string message;
  std::string driver;   ///< empty: there is none
  std::string runtime;  ///< what this build needs
};
CudaTrouble explained(const CudaRefusal& refusal);

/// Of a process that was forked from one that had looked for a GPU.
CudaTrouble troubleBehindFork();

/// The error of a device that cannot be opened, with the way to run without any.
Error withWayOut(const std::string& message);

}  // namespace millrace
