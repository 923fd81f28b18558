// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/jobs/search/graph_trial.h"
#include "core/measure/measured_run.h"
#include "core/tune/trial_process.h"

namespace millrace {

/// A trial fails by default after this multiple of its measured time.
inline constexpr double kTimeoutTimes = 10;

/// How every trial of a search is measured: one repeat in a separate process.
struct TrialRules {
  std::filesystem::path program;  ///< the `millrace` program, which measures the trial
  MeasureSettings measure;
  TrialLimits limits;
  std::string maxFailures = "1%";
  bool noFuse = false;
};

/// Runs documents with `millrace run --events` in a separate process, which receives the document
/// through memory. The child keeps nothing.
class ProcessTrial final : public GraphTrial {
 public:
  /// `observer` must outlive the trial. The error says that the program is not there.
  static Result<std::unique_ptr<ProcessTrial>> make(TrialRules rules, TrialObserver& observer);

  TrialOutcome run(const Graph& graph) override;
  void stop() override;
  const TrialReport& report() const override { return m_report; }

 private:
  ProcessTrial(TrialRules rules, TrialObserver& observer)
      : m_rules(std::move(rules)), m_observer(observer) {}

  std::vector<std::string> command(const std::string& document) const;
  void awaitCores();
  void take(const StreamEvent& event);
  TrialOutcome outcomeOf(const TrialEnd& end) const;
  std::string whyItFailed(const TrialEnd& end) const;

  const TrialRules m_rules;
  TrialObserver& m_observer;
  TrialReport m_report;

  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  TrialProcess* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
