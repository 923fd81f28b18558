// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/jobs/named/named_job.h"

namespace millrace::capi {

/// A job on a separate thread, with its events in a queue. Monitor.
class JobHandle {
 public:
  /// The error says why the system gives no pipe.
  static Result<std::unique_ptr<JobHandle>> start(std::unique_ptr<NamedJob> job);
  ~JobHandle();
  JobHandle(const JobHandle&) = delete;
  JobHandle& operator=(const JobHandle&) = delete;

  enum class Next : std::uint8_t { Event, Timeout, End, Closed };
  /// The next line of the event stream. A snapshot that was not taken when another one came is
  /// replaced by it; every other line is kept.
  Next nextEvent(SteadyTime until, std::string& line);
  /// How the job ended; nullopt while it runs.
  std::optional<NamedJobEnd> end();
  void stop() { m_job->stop(); }
  /// Stops the job and waits for its end; threads in nextEvent are woken.
  void close();

 private:
  JobHandle(std::unique_ptr<NamedJob> job, int readEnd, int writeEnd);
  void run();
  void readLines();
  void add(std::string line);

  const std::unique_ptr<NamedJob> m_job;
  const int m_readEnd;
  const int m_writeEnd;

  Mutex m_mutex;
  Condition m_changed;
  std::deque<std::string> m_lines MILLRACE_GUARDED_BY(m_mutex);
  std::optional<NamedJobEnd> m_end MILLRACE_GUARDED_BY(m_mutex);
  bool m_streamEnded MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_closed MILLRACE_GUARDED_BY(m_mutex) = false;

  Mutex m_joining;
  std::thread m_runner MILLRACE_GUARDED_BY(m_joining);
  std::thread m_reader MILLRACE_GUARDED_BY(m_joining);
};

}  // namespace millrace::capi
