// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/pinned_source.h"

#include <map>
#include <utility>

#include "core/base/mutex.h"

namespace millrace {

namespace {

class PinnedSource final : public BufferSource {
 public:
  explicit PinnedSource(std::shared_ptr<Device> device) : m_device(std::move(device)) {}

  std::byte* take(std::size_t bytes) override {
    auto memory = m_device->pinnedMemory(bytes);
    if (!memory) return nullptr;
    std::byte* const data = memory->data();
    const MutexLock lock(m_mutex);
    m_taken.emplace(data, memory.take());
    return data;
  }

  void give(std::byte* data) override {
    PinnedBuffer memory;  // goes back to its pool behind the lock
    const MutexLock lock(m_mutex);
    const auto taken = m_taken.find(data);
    memory = std::move(taken->second);
    m_taken.erase(taken);
  }

 private:
  const std::shared_ptr<Device> m_device;
  Mutex m_mutex;
  std::map<std::byte*, PinnedBuffer> m_taken MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace

std::shared_ptr<BufferSource> makePinnedSource(std::shared_ptr<Device> device) {
  return std::make_shared<PinnedSource>(std::move(device));
}

}  // namespace millrace
