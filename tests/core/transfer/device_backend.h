// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#include "core/run/executor.h"
#include "core/transfer/transfer_worker.h"

namespace millrace::tests {

/// The value of MILLRACE_BACKEND for tests on a device: emulated, or MILLRACE_TEST_BACKEND.
inline const char* backend() {
  const char* named = std::getenv("MILLRACE_TEST_BACKEND");
  return named == nullptr ? "emulated" : named;
}

inline ExecutorOptions withTransfer(ExecutorOptions options) {
  options.transfer = &deviceTransfer();
  return options;
}

}  // namespace millrace::tests
