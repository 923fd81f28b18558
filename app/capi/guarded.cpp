// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/guarded.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace millrace::capi {

std::string& lastError() {
  thread_local std::string error;
  return error;
}

millrace_status failed(millrace_status status, const char* message) {
  lastError() = message;
  return status;
}

char* copied(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

SteadyTime until(double seconds) {
  constexpr double kLongest = 1e8;  // Three years, far below the clock's limit.
  const double waits = std::isfinite(seconds) ? std::min(seconds, kLongest) : kLongest;
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(waits));
}

}  // namespace millrace::capi
