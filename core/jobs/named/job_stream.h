// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/events/stream/comparison_events.h"
#include "core/events/stream/wait_events.h"
#include "core/jobs/common/job_observer.h"

namespace millrace {

/// Passes what every job reports on to its event stream. `Observer`: the job's, a JobObserver;
/// `Events`: its stream. On the threads of the observer.
template <class Observer, class Events = ComparisonEvents>
class JobStream : public Observer {
 public:
  explicit JobStream(int descriptor) : m_events(descriptor) {}

  void problems(const Problems& problems) {
    for (const Problem& problem : problems.all()) m_events.problem(problem);
  }
  void result(const std::string& json) { m_events.result(json); }

  void onWarning(const Problem& problem) override { m_events.problem(problem); }
  void onNotKept(const std::string& sentence) override {
    m_events.problem({Severity::Warning, "", "", sentence, ""});
  }

 protected:
  Events& events() { return m_events; }

 private:
  Events m_events;
};

/// The same for a job that measures in blocks in this process, and may wait for the cores.
template <class Observer>
class BlockStream : public JobStream<Observer> {
 public:
  explicit BlockStream(int descriptor) : JobStream<Observer>(descriptor), m_waits(this->events()) {}

  void onWaiting(const RunPhase& phase) override { m_waits.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_waits.onPhase(phase); }

 private:
  WaitEvents m_waits;
};

}  // namespace millrace
