// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/cli/common/progress_line.h"
#include "app/cli/run/run_arguments.h"
#include "app/cli/run/run_control.h"
#include "core/events/stream/event_observer.h"
#include "core/jobs/run/run_job.h"
#include "core/measure/observers.h"

namespace millrace::cli {

/// "kept as run 7: millrace runs show 7"; empty if it is not kept.
std::string keptLine(const KeepFlags& keep, const RunIdentity& identity);
/// `tellReason`: print why the run failed.
int exitCodeOf(const RunResult& result, bool tellReason);

/// Shows a run while it goes on: a progress line on a terminal, or the event stream with its
/// requests. One thread, apart from the handler of requests.
class RunScreen final : public RunJobObserver {
 public:
  /// `prepared`: what preparing the pipeline found, for the event stream. `answer` handles a
  /// request other than `stop`; `stop` is called for that one, and when standard input ends.
  using Answer = std::function<Status(const RunRequest&)>;
  RunScreen(const RunArguments& arguments, std::vector<Problem> prepared, Answer answer,
            std::function<void()> stop);

  void onRecord(const std::string& document, const Facts& facts) override;
  void onBegin(const Plan& plan, const RunIdentity& identity) override;
  void onReady(std::size_t repeat) override;
  void onWarning(const Problem& problem) override;
  void onNotKept(const std::string& sentence) override;

  void onWaiting(const RunPhase& phase) override { m_all.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_all.onPhase(phase); }
  void onSnapshot(const RunSnapshot& snapshot) override { m_all.onSnapshot(snapshot); }
  void onWindow(std::size_t repeat, const RateWindow& window) override {
    m_all.onWindow(repeat, window);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    m_all.onRepeat(repeat, figures);
  }
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    m_all.onFailures(failures, total);
  }

  /// Removes the progress line and reads no more requests.
  void end();
  /// Prints the result of a run that began: its page, its JSON or its last event, then on standard
  /// error what is wrong with it. Returns the exit code.
  int show(const RunJobOutcome& outcome);

 private:
  RequestReader::Handlers handlers();
  void showResult(const RunJobOutcome& outcome);
  std::string page(const RunJobOutcome& outcome) const;

  const RunArguments& m_arguments;
  const std::vector<Problem> m_prepared;
  const Answer m_answer;
  const std::function<void()> m_stop;
  const Plan* m_plan = nullptr;  ///< once the run began
  RunIdentity m_identity;
  RecordEvent m_record;
  ProgressLine m_progress;
  std::optional<EventObserver> m_events;
  Observers m_all;
  std::optional<RequestReader> m_requests;
};

}  // namespace millrace::cli
