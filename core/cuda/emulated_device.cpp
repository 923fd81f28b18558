// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/emulated_device.h"

#include <map>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/cuda/emulated_stream.h"

namespace millrace {

namespace {

constexpr std::align_val_t kBlockAlignment{256};

class HostMemory final : public MemorySource {
 public:
  HostMemory(int ordinal, std::size_t limit, const char* what)
      : m_ordinal(ordinal), m_limit(limit), m_what(what) {}

  Result<std::byte*> allocate(std::size_t bytes) override {
    const MutexLock lock(m_mutex);
    if (bytes > m_limit - m_taken)
      return Error{
          fmt::format("cannot allocate {} of {} memory on GPU {} (emulated): {} of {} are free",
                      humanBytes(static_cast<double>(bytes)), m_what, m_ordinal,
                      humanBytes(static_cast<double>(m_limit - m_taken)),
                      humanBytes(static_cast<double>(m_limit)))};
    auto* const data = static_cast<std::byte*>(::operator new(bytes, kBlockAlignment));
    m_taken += bytes;
    m_sizes[data] = bytes;
    return data;
  }

  void free(std::byte* data) override {
    const MutexLock lock(m_mutex);
    const auto block = m_sizes.find(data);
    m_taken -= block->second;
    m_sizes.erase(block);
    ::operator delete(data, kBlockAlignment);
  }

 private:
  const int m_ordinal;
  const std::size_t m_limit;
  const char* const m_what;
  Mutex m_mutex;
  std::size_t m_taken MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::map<std::byte*, std::size_t> m_sizes MILLRACE_GUARDED_BY(m_mutex);
};

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(const EmulatedOptions& options)
      : Device(std::make_unique<HostMemory>(options.ordinal, options.deviceBytes, "device"),
               std::make_unique<HostMemory>(options.ordinal, options.pinnedBytes, "pinned")),
        m_state(std::make_shared<EmulatedState>(options)) {
    m_facts.ordinal = options.ordinal;
    m_facts.name = "emulated";
    m_facts.pciAddress = options.pciAddress;
    m_facts.multiprocessors = 1;
    m_facts.copyEngines = 1;
  }

  DeviceBackend backend() const override { return DeviceBackend::Emulated; }
  const DeviceFacts& facts() const override { return m_facts; }

  Result<std::unique_ptr<Stream>> makeStream(std::string name) override {
    MILLRACE_TRY(m_state->alive("cudaStreamCreateWithFlags"));
    return makeEmulatedStream(m_state, std::move(name));
  }

  Result<std::unique_ptr<Event>> makeEvent(EventKind kind) override {
    MILLRACE_TRY(m_state->alive("cudaEventCreateWithFlags"));
    return makeEmulatedEvent(m_state, kind);
  }

  Result<std::shared_ptr<Stream>> programStream(void* native) override {
    const MutexLock lock(m_mutex);
    std::shared_ptr<Stream>& stream = m_programs[isDefaultStream(native) ? nullptr : native];
    if (!stream) stream = makeEmulatedStream(m_state, "program");
    return stream;
  }

  bool hasProgramStream(void* native) const {
    const MutexLock lock(m_mutex);
    return m_programs.contains(native);
  }

  std::unique_ptr<DeviceScope> enter() const override { return nullptr; }

  Status synchronise() override {
    MILLRACE_TRY(m_state->alive("cudaDeviceSynchronize"));
    m_state->waitForAll();
    return {};
  }

 private:
  const std::shared_ptr<EmulatedState> m_state;
  DeviceFacts m_facts;
  mutable Mutex m_mutex;
  std::map<void*, std::shared_ptr<Stream>> m_programs MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace

std::shared_ptr<Device> makeEmulatedDevice(const EmulatedOptions& options) {
  return std::make_shared<EmulatedDevice>(options);
}

bool hasProgramStream(const Device& emulated, void* native) {
  return static_cast<const EmulatedDevice&>(emulated).hasProgramStream(native);
}

}  // namespace millrace
