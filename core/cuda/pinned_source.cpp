// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/pinned_source.h"

namespace millrace {

std::byte* PinnedSource::take(std::size_t bytes) {
  auto memory = m_device->pinnedMemory(bytes);
  const MutexLock lock(m_mutex);
  if (!memory) {
    m_trouble = memory.error().message;
    return nullptr;
  }
  std::byte* const data = memory->data();
  m_taken.emplace(data, memory.take());
  return data;
}

void PinnedSource::give(std::byte* data) {
  PinnedBuffer memory;  // returned to its pool after the lock is released
  const MutexLock lock(m_mutex);
  const auto taken = m_taken.find(data);
  memory = std::move(taken->second);
  m_taken.erase(taken);
}

std::string PinnedSource::trouble() const {
  const MutexLock lock(m_mutex);
  return m_trouble;
}

}  // namespace millrace
