// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/emulated_stream.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/thread_name.h"

namespace millrace {

namespace {

/// Decrements the counter; false if it was zero.
bool takeOne(std::atomic<std::uint64_t>& left) {
  std::uint64_t now = left.load();
  while (now > 0 && now != UINT64_MAX && !left.compare_exchange_weak(now, now - 1)) {
  }
  return now > 0;
}

/// The records of an event; outlives the event while streams still have work that refers to it.
struct EmulatedRecords {
  Mutex mutex;
  Condition changed;
  std::uint64_t recorded MILLRACE_GUARDED_BY(mutex) = 0;
  std::uint64_t done MILLRACE_GUARDED_BY(mutex) = 0;
  SteadyTime at MILLRACE_GUARDED_BY(mutex);
};

class EmulatedEvent final : public Event {
 public:
  EmulatedEvent(std::shared_ptr<EmulatedState> state, EventKind kind)
      : m_state(std::move(state)), m_kind(kind), m_records(std::make_shared<EmulatedRecords>()) {}

  Result<bool> passed() const override {
    MILLRACE_TRY(m_state->query());
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

  /// CUDA does not define the result if the end precedes the beginning. Here it is never below
  /// zero, so that no caller relies on more.
  Result<std::chrono::nanoseconds> since(const Event& earlier) const override {
    const auto& begin = static_cast<const EmulatedEvent&>(earlier);
    MILLRACE_TRY(m_state->alive(kElapsed));
    if (begin.m_state != m_state)
      return m_state->refused(kElapsed, "the events belong to two devices");
    MILLRACE_ASSIGN_OR_RETURN(const auto from, begin.time());
    MILLRACE_ASSIGN_OR_RETURN(const auto to, time());
    return std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(to - from));
  }

  const EmulatedState* state() const { return m_state.get(); }
  const std::shared_ptr<EmulatedRecords>& records() const { return m_records; }

 private:
  static constexpr const char* kElapsed = "cudaEventElapsedTime";

  Result<SteadyTime> time() const {
    if (m_kind != EventKind::Timed)
      return m_state->refused(kElapsed, "the event was made without timing");
    const MutexLock lock(m_records->mutex);
    if (m_records->recorded == 0) return m_state->refused(kElapsed, "the event was never recorded");
    if (m_records->done < m_records->recorded)
      return m_state->refused(kElapsed, "the event has not passed yet");
    return m_records->at;
  }

  const std::shared_ptr<EmulatedState> m_state;
  const EventKind m_kind;
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
    auto& recorded = static_cast<EmulatedEvent&>(event);
    if (recorded.state() != m_state.get())
      return m_state->refused("cudaEventRecord", "the event belongs to another device");
    MILLRACE_TRY(m_state->record());
    const std::shared_ptr<EmulatedRecords> records = recorded.records();
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
    m_work.push_back([state = m_state, number = m_state->begins(), does = std::move(work)] {
      does();
      state->ends(number);
    });
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
  std::thread m_thread;  ///< last member: its loop uses all others
};

}  // namespace

EmulatedState::EmulatedState(const EmulatedOptions& options)
    : m_place(fmt::format("GPU {} (emulated)", options.ordinal)),
      m_left(options.operationsUntilFault),
      m_failingRecords(options.failingRecords),
      m_failingQueries(options.failingQueries) {}

Error EmulatedState::refused(const char* call, const char* why) const {
  return Error{fmt::format("{} on {}: {}", call, m_place, why)};
}

Status EmulatedState::operation(const char* call) {
  return takeOne(m_left) ? Status{} : refused(call, "the device has faulted");
}

Status EmulatedState::alive(const char* call) const {
  return m_left.load() > 0 ? Status{} : refused(call, "the device has faulted");
}

Status EmulatedState::record() {
  constexpr const char* kCall = "cudaEventRecord";
  if (takeOne(m_failingRecords)) return refused(kCall, "a test made it fail");
  return operation(kCall);
}

Status EmulatedState::query() {
  constexpr const char* kCall = "cudaEventQuery";
  if (takeOne(m_failingQueries)) return refused(kCall, "a test made it fail");
  return alive(kCall);
}

std::uint64_t EmulatedState::begins() {
  const MutexLock lock(m_mutex);
  m_open.insert(++m_begun);
  return m_begun;
}

void EmulatedState::ends(std::uint64_t work) {
  const MutexLock lock(m_mutex);
  m_open.erase(work);
  m_changed.notifyAll();
}

void EmulatedState::waitForAll() {
  const MutexLock lock(m_mutex);
  const std::uint64_t last = m_begun;
  while (!m_open.empty() && *m_open.begin() <= last) m_changed.wait(m_mutex);
}

std::unique_ptr<Event> makeEmulatedEvent(std::shared_ptr<EmulatedState> state, EventKind kind) {
  return std::make_unique<EmulatedEvent>(std::move(state), kind);
}

std::unique_ptr<Stream> makeEmulatedStream(std::shared_ptr<EmulatedState> state, std::string name) {
  return std::make_unique<EmulatedStream>(std::move(state), std::move(name));
}

}  // namespace millrace
