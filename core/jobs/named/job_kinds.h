// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/jobs/common/job_input.h"
#include "core/jobs/common/keep_settings.h"
#include "core/jobs/named/job_options.h"
#include "core/jobs/named/named_job.h"
#include "core/measure/measured_run.h"

namespace millrace {

// What the kinds of named jobs share. A kind is a file named_<kind>.cpp with one function, and a
// line in named_jobs.def.

/// The keys `pipeline document data settings base seed no_random no_fuse`. `needed`: one of the
/// first two must be there.
PipelineRequest readPipeline(JobOptions& options, bool needed = true);
/// The keys `base seed no_random no_fuse`.
void readReading(JobOptions& options, PipelineRequest& request);
/// The keys `store experiment name tags`; by default, runs are kept in the user's own store.
/// `experiment`: the group if none is named.
KeepSettings readKeeping(JobOptions& options, const std::string& experiment = "default");
/// The key `max_failures`.
FailureLimit readFailureLimit(JobOptions& options);
/// The key `resume`, of a search: true, or the name of its experiment. Empty: the newest; nullopt:
/// nothing is resumed.
std::optional<std::string> readResume(JobOptions& options);

/// How long and how often a job measures; absent: by its own default.
struct MeasureOptions {
  std::optional<double> seconds;  ///< above 0
  std::optional<double> warmup;
  std::optional<std::size_t> repeats;  ///< 1 to 1000
};
/// The keys `seconds warmup repeats`.
MeasureOptions readMeasureOptions(JobOptions& options);

/// Generates sample data until the job is stopped.
class StoppableSampleData final : public SampleDataObserver {
 public:
  explicit StoppableSampleData(const std::atomic<bool>& stop) : m_stop(stop) {}
  bool onSampleData(const std::string&, std::uint32_t, std::uint32_t) override { return !m_stop; }

 private:
  const std::atomic<bool>& m_stop;
};

/// A named job that holds a job of this class while it runs, so that `stop` reaches it.
template <class Job>
class StoppableJob : public NamedJob {
 public:
  void stop() final {
    const MutexLock lock(m_mutex);
    m_stopped = true;
    if (m_running != nullptr) m_running->stop();
  }

 protected:
  const std::atomic<bool>& stopped() const { return m_stopped; }
  auto runJob(Job& job) {
    setRunning(&job);
    auto outcome = job.run();
    setRunning(nullptr);
    return outcome;
  }
  /// Runs the job to its end and sends its result, which `jsonOf` makes of the outcome.
  template <class Stream, class JsonOf>
  NamedJobEnd finish(Job& job, Stream& stream, JsonOf jsonOf) {
    const auto outcome = runJob(job);
    if (!outcome) return {NamedJobEnd::Kind::Failed, {}, validUtf8(outcome.error().message)};
    const std::string json = jsonOf(*outcome);
    stream.result(json);
    return {NamedJobEnd::Kind::Done, json, {}};
  }

 private:
  void setRunning(Job* job) {
    const MutexLock lock(m_mutex);
    m_running = job;
    if (m_stopped && job != nullptr) job->stop();
  }

  std::atomic<bool> m_stopped = false;
  Mutex m_mutex;
  Job* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

/// An error if the program that measures the trials of a search is not named.
Status namedProgram(const std::string& program, const std::string& search);

/// Ends a job that could not begin: writes a stream with these problems to `events`.
NamedJobEnd refusedFor(const Problems& problems, int events);

#define MILLRACE_NAMED_JOB(kind)                                         \
  Result<std::unique_ptr<NamedJob>> make##kind##Job(JobOptions& options, \
                                                    const std::string& program);
#include "core/jobs/named/named_jobs.def"
#undef MILLRACE_NAMED_JOB

}  // namespace millrace
