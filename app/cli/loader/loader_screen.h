// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "app/cli/common/progress_line.h"
#include "app/cli/loader/loader_arguments.h"
#include "app/cli/run/run_control.h"
#include "core/events/stream/event_observer.h"
#include "core/jobs/loader/loader_job.h"
#include "core/measure/observers.h"

namespace millrace::cli {

/// Shows a measured loader while it goes on: a progress line on a terminal, or the event stream,
/// whose only request is `stop`. The observer's functions are called as LoaderJob calls them.
class LoaderScreen final : public LoaderJobObserver {
 public:
  /// `stop` is called for a request, and when standard input ends.
  LoaderScreen(const LoaderArguments& arguments, std::function<void()> stop);

  void onBegin(const PlanEvent& plan, const RunIdentity& identity,
               const LoaderFacts& facts) override;
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

  /// Removes the progress line and reads no more requests.
  void end();
  /// Prints that no batch came; returns the exit code.
  int refuse(const std::string& why);
  /// Prints the result and what is wrong with it; returns the exit code.
  int show(const LoaderJobOutcome& outcome);

 private:
  RequestReader::Handlers handlers();
  std::string about(const LoaderJobOutcome& outcome) const;

  const LoaderArguments& m_arguments;
  const std::function<void()> m_stop;
  RunIdentity m_identity;
  ProgressLine m_progress;
  std::optional<EventObserver> m_events;
  Observers m_all;
  std::optional<RequestReader> m_requests;
};

}  // namespace millrace::cli
