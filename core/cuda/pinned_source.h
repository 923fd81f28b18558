// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/base/mutex.h"
#include "core/cuda/device.h"
#include "core/data/buffer.h"

namespace millrace {

/// Pinned memory from a device's pool as the source of Buffers. Thread-safe.
class PinnedSource final : public BufferSource {
 public:
  explicit PinnedSource(std::shared_ptr<Device> device) : m_device(std::move(device)) {}

  std::byte* take(std::size_t bytes) override;
  void give(std::byte* data) override;
  /// Why the last failed take() failed; empty if none has.
  std::string trouble() const;

 private:
  const std::shared_ptr<Device> m_device;
  mutable Mutex m_mutex;
  std::map<std::byte*, PinnedBuffer> m_taken MILLRACE_GUARDED_BY(m_mutex);
  std::string m_trouble MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
