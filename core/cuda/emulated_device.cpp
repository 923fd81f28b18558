// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/emulated_device.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "core/base/thread_name.h"

namespace millrace {

namespace {

constexpr std::align_val_t kBlockAlignment{256};

/// What the parts of one emulated device share. Thread-safe.
class EmulatedState {
 public:
  explicit EmulatedState(const EmulatedOptions& options) : m_left(options.operationsUntilFault) {}

  /// Every call asks first; the error once the device has faulted.
  Status operation(const char* call) {
    std::uint64_t left = m_left.load();
    while (left > 0 && left != UINT64_MAX && !m_left.compare_exchange_weak(left, left - 1)) {
    }
    return left == 0 ? faulted(call) : Status{};
  }
  Status alive(const char* call) const { return m_left.load() == 0 ? faulted(call) : Status{}; }

 private:
  static Status faulted(const char* call) {
    return Error{fmt::format("{} on GPU 0 (emulated): the device has faulted", call)};
  }
  std::atomic<std::uint64_t> m_left;
};

class HostMemory final : public MemorySource {
 public:
  HostMemory(std::size_t limit, const char* what) : m_limit(limit), m_what(what) {}

  Result<std::byte*> allocate(std::size_t bytes) override {
    const MutexLock lock(m_mutex);
    if (bytes > m_limit - m_taken)
      return Error{fmt::format("no {} of {} memory on GPU 0 (emulated): {} of {} are free",
                               humanBytes(static_cast<double>(bytes)), m_what,
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
  const std::size_t m_limit;
  const char* const m_what;
  Mutex m_mutex;
  std::size_t m_taken MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::map<std::byte*, std::size_t> m_sizes MILLRACE_GUARDED_BY(m_mutex);
};

/// The records of an event; outlives it while streams still have work that refers to it.
struct EmulatedRecords {
  Mutex mutex;
  Condition changed;
  std::uint64_t recorded MILLRACE_GUARDED_BY(mutex) = 0;
  std::uint64_t done MILLRACE_GUARDED_BY(mutex) = 0;
  SteadyTime at MILLRACE_GUARDED_BY(mutex);
};

class EmulatedEvent final : public Event {
 public:
  explicit EmulatedEvent(std::shared_ptr<EmulatedState> state)
      : m_state(std::move(state)), m_records(std::make_shared<EmulatedRecords>()) {}

  Result<bool> passed() const override {
    MILLRACE_TRY(m_state->alive("cudaEventQuery"));
    const MutexLock lock(m_records->mutex);
    return m_records->done >= m_records->recorded;
  }

  Status wait() const override {
    MILLRACE_TRY(m_state->alive("cudaEventSynchronize"));
    const MutexLock lock(m_records->mutex);
    const std::uint64_t target = m_records->recorded;
    while (m_records->done < target) m_records->changed.wait(m_records->mutex);
    return {};
  }

  Result<std::chrono::nanoseconds> since(const Event& earlier) const override {
    MILLRACE_TRY(m_state->alive("cudaEventElapsedTime"));
    return std::chrono::nanoseconds(timeOf(*m_records) -
                                    timeOf(*static_cast<const EmulatedEvent&>(earlier).m_records));
  }

  const std::shared_ptr<EmulatedRecords>& records() const { return m_records; }

 private:
  static SteadyTime timeOf(EmulatedRecords& records) {
    const MutexLock lock(records.mutex);
    return records.at;
  }
  const std::shared_ptr<EmulatedState> m_state;
  const std::shared_ptr<EmulatedRecords> m_records;
};

class EmulatedStream final : public Stream {
 public:
  EmulatedStream(std::shared_ptr<EmulatedState> state, std::string name)
      : m_state(std::move(state)), m_name(std::move(name)), m_thread([this] { loop(); }) {}

  ~EmulatedStream() override {
    {
      const MutexLock lock(m_mutex);
      m_closing = true;
      m_changed.notifyAll();
    }
    m_thread.join();
  }

  Status copyToDevice(void* device, const void* host, std::size_t bytes) override {
    return copy("cudaMemcpyAsync to the device", device, host, bytes);
  }
  Status copyToHost(void* host, const void* device, std::size_t bytes) override {
    return copy("cudaMemcpyAsync to the host", host, device, bytes);
  }
  Status copyOnDevice(void* to, const void* from, std::size_t bytes) override {
    return copy("cudaMemcpyAsync on the device", to, from, bytes);
  }
  Status fill(void* device, unsigned char value, std::size_t bytes) override {
    return push("cudaMemsetAsync", [=] { std::memset(device, value, bytes); });
  }

  Status record(Event& event) override {
    const std::shared_ptr<EmulatedRecords> records = static_cast<EmulatedEvent&>(event).records();
    MILLRACE_TRY(m_state->operation("cudaEventRecord"));
    std::uint64_t number = 0;
    {
      const MutexLock lock(records->mutex);
      number = ++records->recorded;
    }
    add([records, number] {
      const MutexLock lock(records->mutex);
      records->done = number;
      records->at = std::chrono::steady_clock::now();
      records->changed.notifyAll();
    });
    return {};
  }

  Status wait(const Event& event) override {
    const std::shared_ptr<EmulatedRecords> records =
        static_cast<const EmulatedEvent&>(event).records();
    std::uint64_t target = 0;
    {
      const MutexLock lock(records->mutex);
      target = records->recorded;
    }
    return push("cudaStreamWaitEvent", [records, target] {
      const MutexLock lock(records->mutex);
      while (records->done < target) records->changed.wait(records->mutex);
    });
  }

  Status synchronise() override {
    MILLRACE_TRY(m_state->alive("cudaStreamSynchronize"));
    const MutexLock lock(m_mutex);
    while (m_working || !m_work.empty()) m_changed.wait(m_mutex);
    return {};
  }

  void* native() const override { return nullptr; }
  Status enter() override { return {}; }
  Status launched(const char* kernel) override { return m_state->alive(kernel); }
  Status enqueue(const char* kernel, std::function<void()> work) override {
    return push(kernel, std::move(work));
  }

 private:
  Status copy(const char* call, void* to, const void* from, std::size_t bytes) {
    return push(call, [=] {
      if (bytes > 0) std::memcpy(to, from, bytes);
    });
  }

  Status push(const char* call, std::function<void()> work) {
    MILLRACE_TRY(m_state->operation(call));
    add(std::move(work));
    return {};
  }

  void add(std::function<void()> work) {
    const MutexLock lock(m_mutex);
    m_work.push_back(std::move(work));
    m_changed.notifyAll();
  }

  void loop() {
    setThreadName(m_name);
    for (;;) {
      std::function<void()> work;
      {
        const MutexLock lock(m_mutex);
        m_working = false;
        m_changed.notifyAll();
        while (m_work.empty() && !m_closing) m_changed.wait(m_mutex);
        if (m_work.empty()) return;
        work = std::move(m_work.front());
        m_work.pop_front();
        m_working = true;
      }
      work();
    }
  }

  const std::shared_ptr<EmulatedState> m_state;
  const std::string m_name;
  Mutex m_mutex;
  Condition m_changed;
  std::deque<std::function<void()>> m_work MILLRACE_GUARDED_BY(m_mutex);
  bool m_working MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_closing MILLRACE_GUARDED_BY(m_mutex) = false;
  std::thread m_thread;  ///< last: the loop uses the rest
};

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(const EmulatedOptions& options)
      : Device(std::make_unique<HostMemory>(options.deviceBytes, "device"),
               std::make_unique<HostMemory>(options.pinnedBytes, "pinned")),
        m_state(std::make_shared<EmulatedState>(options)) {
    m_facts.name = "emulated";
    m_facts.multiprocessors = 1;
    m_facts.copyEngines = 1;
  }

  DeviceBackend backend() const override { return DeviceBackend::Emulated; }
  const DeviceFacts& facts() const override { return m_facts; }

  Result<std::unique_ptr<Stream>> makeStream(std::string name) override {
    MILLRACE_TRY(m_state->alive("cudaStreamCreateWithFlags"));
    return std::unique_ptr<Stream>(std::make_unique<EmulatedStream>(m_state, std::move(name)));
  }

  Result<std::unique_ptr<Event>> makeEvent(EventKind) override {
    MILLRACE_TRY(m_state->alive("cudaEventCreateWithFlags"));
    return std::unique_ptr<Event>(std::make_unique<EmulatedEvent>(m_state));
  }

  Result<std::shared_ptr<Stream>> programStream(void* native) override {
    const MutexLock lock(m_mutex);
    std::shared_ptr<Stream>& stream = m_programs[native];
    if (!stream) stream = std::make_shared<EmulatedStream>(m_state, "program");
    return stream;
  }

  std::unique_ptr<DeviceScope> enter() const override { return nullptr; }

 private:
  const std::shared_ptr<EmulatedState> m_state;
  DeviceFacts m_facts;
  Mutex m_mutex;
  std::map<void*, std::shared_ptr<Stream>> m_programs MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace

std::shared_ptr<Device> makeEmulatedDevice(const EmulatedOptions& options) {
  return std::make_shared<EmulatedDevice>(options);
}

}  // namespace millrace
