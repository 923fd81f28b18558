// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace millrace {

/// Percent of its pictures that a decode node leaves to the device, while a run moves it.
/// Lock-free: the transfer stage sets it, workers read it before each sample.
class MovingShare {
 public:
  explicit MovingShare(double percent) : m_percent(percent) {}

  double percent() const { return m_percent.load(std::memory_order_relaxed); }
  void set(double percent) { m_percent.store(percent, std::memory_order_relaxed); }

 private:
  std::atomic<double> m_percent;
};

}  // namespace millrace
