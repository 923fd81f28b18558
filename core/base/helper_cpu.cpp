// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/helper_cpu.h"

namespace millrace {

namespace {

std::atomic<std::uint64_t> helperNs{0};
thread_local std::atomic<std::uint64_t>* ofThread = nullptr;

}  // namespace

void HelperCpu::add(std::uint64_t nanoseconds) {
  helperNs.fetch_add(nanoseconds, std::memory_order_relaxed);
  if (ofThread != nullptr) ofThread->fetch_add(nanoseconds, std::memory_order_relaxed);
}

double HelperCpu::processSeconds() {
  return static_cast<double>(helperNs.load(std::memory_order_relaxed)) * 1e-9;
}

void HelperCpu::countThread(std::atomic<std::uint64_t>* nanoseconds) { ofThread = nanoseconds; }

}  // namespace millrace
