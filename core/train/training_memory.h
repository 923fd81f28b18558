// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"

namespace millrace {

/// Memory of a network on a device: everything that its steps touch. One thread; gone before the
/// device, and after all work that touches it.
class TrainingMemory {
 public:
  /// `element`: bytes of a value between layers.
  TrainingMemory(Device& device, std::size_t element) : m_device(device), m_element(element) {}

  /// So many, aligned to 256 bytes; theirs until the end.
  template <class T>
  Result<T*> take(std::int64_t count) {
    const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(count)) * sizeof(T);
    m_bytes += bytes;
    if (m_countsOnly) return nullptr;
    auto buffer = m_device.deviceMemory(bytes);
    if (!buffer) return buffer.error();
    m_buffers.push_back(buffer.take());
    return reinterpret_cast<T*>(m_buffers.back().data());
  }
  /// Values between layers.
  Result<std::byte*> takeValues(std::int64_t count) {
    return take<std::byte>(count * static_cast<std::int64_t>(m_element));
  }

  /// Gives back what was taken. From now on nothing is, but `bytes` counts as if it were.
  void countOnly() {
    m_buffers.clear();
    m_bytes = 0;
    m_countsOnly = true;
  }
  std::size_t bytes() const { return m_bytes; }

 private:
  Device& m_device;
  const std::size_t m_element;
  std::vector<DeviceBuffer> m_buffers;
  std::size_t m_bytes = 0;
  bool m_countsOnly = false;
};

}  // namespace millrace
