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

/// The memory of a network on a device: everything that its steps access. For use by one thread;
/// must be destroyed before the device, and after all work that uses it.
class TrainingMemory {
 public:
  /// `element`: bytes of a value between layers.
  TrainingMemory(Device& device, std::size_t element) : m_device(device), m_element(element) {}

  /// Allocates `count` elements, aligned to 256 bytes, which stay valid until this object is
  /// destroyed.
  template <class T>
  Result<T*> take(std::int64_t count) {
    const std::size_t bytes = std::max<std::size_t>(1, static_cast<std::size_t>(count)) * sizeof(T);
    m_bytes += bytes;
    if (m_countsOnly) return nullptr;
    MILLRACE_ASSIGN_OR_RETURN(auto buffer, m_device.deviceMemory(bytes));
    m_buffers.push_back(std::move(buffer));
    return reinterpret_cast<T*>(m_buffers.back().data());
  }
  /// Allocates values between layers.
  Result<std::byte*> takeValues(std::int64_t count) {
    return take<std::byte>(count * static_cast<std::int64_t>(m_element));
  }

  /// Frees everything. From now on take() allocates nothing, but bytes() counts as if it did.
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
