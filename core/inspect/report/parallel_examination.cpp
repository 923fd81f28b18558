// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/parallel_examination.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/thread_name.h"
#include "core/inspect/report/sample_examiner.h"

namespace millrace {

namespace {

using Time = std::chrono::steady_clock::time_point;

/// Samples that a thread takes at a time.
constexpr std::uint32_t kAtOnce = 16;
/// A thread hands over what it has at least this often.
constexpr std::chrono::milliseconds kOften(500);
constexpr std::chrono::milliseconds kWait(100);
/// How long the end waits for the samples in progress.
constexpr std::chrono::seconds kEndPatience(5);

}  // namespace

/// Monitor. Every thread holds it, also one that hangs when its examination has ended.
struct ParallelExamination::Shared {
  Shared(std::shared_ptr<const Source> data, std::vector<SampleRange> ranges)
      : source(std::move(data)), todo(std::move(ranges)) {
    std::ranges::reverse(todo);
  }

  std::optional<SampleRange> take() {
    const MutexLock lock(mutex);
    if (stopped || todo.empty()) return std::nullopt;
    SampleRange& next = todo.back();
    const SampleRange taken = {next.begin, next.begin + std::min(kAtOnce, next.end - next.begin)};
    next.begin = taken.end;
    if (next.begin == next.end) todo.pop_back();
    return taken;
  }
  bool isStopped() {
    const MutexLock lock(mutex);
    return stopped;
  }
  void finish(ExaminedBlock&& block) {
    if (block.records.empty()) return;
    const MutexLock lock(mutex);
    finished.push_back(std::move(block));
    changed.notifyAll();
  }
  void leave() {
    const MutexLock lock(mutex);
    --running;
    changed.notifyAll();
  }

  const std::shared_ptr<const Source> source;
  Mutex mutex;
  Condition changed;
  std::vector<SampleRange> todo MILLRACE_GUARDED_BY(mutex);  ///< the next one last
  std::vector<ExaminedBlock> finished MILLRACE_GUARDED_BY(mutex);
  std::size_t running MILLRACE_GUARDED_BY(mutex) = 0;  ///< threads that are not abandoned
  bool stopped MILLRACE_GUARDED_BY(mutex) = false;
};

/// What one thread has examined and not handed over. Monitor.
struct ParallelExamination::Worker {
  /// False: the thread was abandoned and must end.
  bool begin(std::uint32_t index) {
    const MutexLock lock(mutex);
    current = index;
    since = std::chrono::steady_clock::now();
    return !abandoned;
  }
  bool end(ExaminedBlock&& one) {
    const MutexLock lock(mutex);
    if (abandoned) return false;
    if (block.records.empty()) block.first = one.first;
    block.records.push_back(one.records.front());
    block.sums.add(one.sums);
    for (auto& reason : one.reasons) block.reasons.push_back(std::move(reason));
    current.reset();
    return true;
  }
  ExaminedBlock takeBlock() {
    const MutexLock lock(mutex);
    return std::exchange(block, {});
  }
  /// False: the thread was abandoned and must end.
  bool examine(SampleRange samples, SampleExaminer& examiner, Shared& shared) {
    {
      const MutexLock lock(mutex);
      range = samples;
    }
    Time handedOver = std::chrono::steady_clock::now();
    for (std::uint32_t index = samples.begin; index < samples.end && !shared.isStopped(); ++index) {
      if (!begin(index)) return false;
      ExaminedBlock one;
      one.first = index;
      examiner.examine(index, one);
      if (!end(std::move(one))) return false;
      const Time now = std::chrono::steady_clock::now();
      if (now - handedOver < kOften) continue;
      shared.finish(takeBlock());
      handedOver = now;
    }
    shared.finish(takeBlock());
    return true;
  }

  std::thread thread;
  Mutex mutex;
  ExaminedBlock block MILLRACE_GUARDED_BY(mutex);
  SampleRange range MILLRACE_GUARDED_BY(mutex);
  std::optional<std::uint32_t> current MILLRACE_GUARDED_BY(mutex);  ///< in progress
  Time since MILLRACE_GUARDED_BY(mutex);
  bool abandoned MILLRACE_GUARDED_BY(mutex) = false;
};

ParallelExamination::ParallelExamination(std::shared_ptr<const Source> source,
                                         std::vector<SampleRange> todo, const Settings& settings)
    : m_settings(settings), m_shared(std::make_shared<Shared>(std::move(source), std::move(todo))) {
  for (unsigned i = 0; i < std::max(1U, settings.workers); ++i) start();
}

void ParallelExamination::start() {
  const auto worker = std::make_shared<Worker>();
  {
    const MutexLock lock(m_shared->mutex);
    ++m_shared->running;
  }
  try {
    worker->thread =
        std::thread([shared = m_shared, worker, name = fmt::format("report-{}", m_workers.size())] {
          setThreadName(name);
          SampleExaminer examiner(shared->source);
          while (const auto range = shared->take())
            if (!worker->examine(*range, examiner, *shared)) return;
          shared->leave();
        });
  } catch (const std::system_error&) {
    m_shared->leave();
    if (m_workers.empty()) throw;
    return;  // With fewer threads the result is the same.
  }
  m_workers.push_back(worker);
}

/// Goes on without the thread if its sample takes too long; false: it does not.
bool ParallelExamination::abandon(Worker& worker) {
  ExaminedBlock block;
  SampleRange rest;
  {
    const MutexLock lock(worker.mutex);
    if (!worker.current || std::chrono::steady_clock::now() - worker.since <= m_settings.patience)
      return false;
    worker.abandoned = true;
    const std::uint32_t index = *worker.current;
    block = std::exchange(worker.block, {});
    if (block.records.empty()) block.first = index;
    SampleRecord& record = block.records.emplace_back();
    record.examined = 1;
    record.add(Finding::Hanging);
    block.reasons.emplace_back(
        index, fmt::format("did not end within {} s",
                           std::chrono::duration<double>(m_settings.patience).count()));
    rest = {index + 1, worker.range.end};
  }
  worker.thread.detach();
  m_shared->finish(std::move(block));
  ++m_hanging;
  const MutexLock lock(m_shared->mutex);
  --m_shared->running;
  if (rest.begin < rest.end) m_shared->todo.push_back(rest);
  if (m_hanging < kMostHanging) return true;
  m_gaveUp = true;
  m_shared->todo.clear();
  return true;
}

void ParallelExamination::replaceHanging() {
  const std::size_t abandoned = std::erase_if(
      m_workers, [this](const std::shared_ptr<Worker>& worker) { return abandon(*worker); });
  for (std::size_t i = 0; i < abandoned && !m_gaveUp; ++i) start();
}

std::vector<ExaminedBlock> ParallelExamination::next() {
  replaceHanging();
  const Time until = std::chrono::steady_clock::now() + kWait;
  const MutexLock lock(m_shared->mutex);
  while (m_shared->finished.empty() && m_shared->running > 0)
    if (!m_shared->changed.waitUntil(m_shared->mutex, until)) break;
  return std::exchange(m_shared->finished, {});
}

bool ParallelExamination::isDone() const {
  const MutexLock lock(m_shared->mutex);
  return m_shared->running == 0 && m_shared->finished.empty();
}

void ParallelExamination::stop() {
  const MutexLock lock(m_shared->mutex);
  m_shared->stopped = true;
}

ParallelExamination::~ParallelExamination() {
  stop();
  const Time until = std::chrono::steady_clock::now() + kEndPatience;
  bool all = true;
  {
    const MutexLock lock(m_shared->mutex);
    while (m_shared->running > 0 && all) all = m_shared->changed.waitUntil(m_shared->mutex, until);
    all = m_shared->running == 0;
  }
  for (const auto& worker : m_workers) {
    if (all)
      worker->thread.join();
    else
      worker->thread.detach();
  }
}

}  // namespace millrace
