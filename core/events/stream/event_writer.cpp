// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_writer.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <deque>
#include <optional>
#include <string_view>

#include "core/base/mutex.h"
#include "core/base/thread_name.h"

namespace millrace {

namespace {

std::atomic<int> firstError = 0;

void noteLost(int error) {
  int none = 0;
  const bool first = firstError.compare_exchange_strong(none, error);
  const std::uint64_t one = 1;
  if (first && error != EPIPE) (void)!::write(lostEventDescriptor(), &one, sizeof one);
}

/// False if the line cannot be written, mostly because the reader is gone.
bool writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote > 0) {
      text.remove_prefix(static_cast<std::size_t>(wrote));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) {
      noteLost(errno);
      return false;
    }
    pollfd waiting{descriptor, POLLOUT, 0};
    (void)::poll(&waiting, 1, 1000);
  }
  return true;
}

}  // namespace

int lostEventError() { return firstError; }

int lostEventDescriptor() {
  static const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return descriptor;
}

struct EventWriter::State {
  struct Line {
    std::string text;
    bool snapshot = false;
  };

  explicit State(int where) : descriptor(where) {}
  void push(Line line);
  void loop();
  /// nullopt when everything is written and the writer closes.
  std::optional<std::string> nextLine();
  void finish();
  /// False if the thread hangs.
  bool close();

  const int descriptor;
  Mutex mutex;
  Condition changed;
  std::deque<Line> lines MILLRACE_GUARDED_BY(mutex);
  bool closing MILLRACE_GUARDED_BY(mutex) = false;
  bool done MILLRACE_GUARDED_BY(mutex) = false;
  std::uint64_t dropped MILLRACE_GUARDED_BY(mutex) = 0;
};

void EventWriter::State::push(Line line) {
  const MutexLock lock(mutex);
  if (done) return;
  if (line.snapshot && std::any_of(lines.begin(), lines.end(),
                                   [](const Line& waiting) { return waiting.snapshot; })) {
    ++dropped;
    return;
  }
  lines.push_back(std::move(line));
  changed.notifyAll();
}

std::optional<std::string> EventWriter::State::nextLine() {
  const MutexLock lock(mutex);
  while (lines.empty() && !closing) changed.wait(mutex);
  if (lines.empty()) return std::nullopt;
  std::string text = std::move(lines.front().text) + "\n";
  lines.pop_front();
  return text;
}

void EventWriter::State::finish() {
  const MutexLock lock(mutex);
  lines.clear();
  done = true;
  changed.notifyAll();
}

void EventWriter::State::loop() {
  setThreadName("events");
  while (const auto line = nextLine())
    if (!writeAll(descriptor, *line)) break;
  finish();
}

bool EventWriter::State::close() {
  const MutexLock lock(mutex);
  closing = true;
  changed.notifyAll();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!done && changed.waitUntil(mutex, until)) {
  }
  return done;
}

EventWriter::EventWriter(int descriptor)
    : m_state(std::make_shared<State>(descriptor)),
      m_thread([state = m_state] { state->loop(); }) {}

EventWriter::~EventWriter() {
  if (m_state->close())
    m_thread.join();
  else
    m_thread.detach();
}

void EventWriter::write(std::string line) { m_state->push({std::move(line), false}); }

void EventWriter::writeSnapshot(std::string line) { m_state->push({std::move(line), true}); }

std::uint64_t EventWriter::droppedSnapshots() const {
  const MutexLock lock(m_state->mutex);
  return m_state->dropped;
}

}  // namespace millrace
