// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace millrace {

/// The percentage of pictures that a decode node leaves to the device, if the run adjusts it.
/// Lock-free: the transfer stage sets it, workers read it before each sample.
class OffloadShare {
 public:
  explicit OffloadShare(double percent) : m_percent(percent) {}

  double percent() const { return m_percent.load(std::memory_order_relaxed); }
  void set(double percent) { m_percent.store(percent, std::memory_order_relaxed); }

 private:
  std::atomic<double> m_percent;
};

}  // namespace millrace
