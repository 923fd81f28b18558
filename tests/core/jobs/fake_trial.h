// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/jobs/search/graph_trial.h"
#include "core/nodes/builtin.h"

namespace millrace::tests {

/// The number of threads in a document.
inline int threadsOf(const Graph& graph) {
  const GraphNode& node = *graph.node("workers");
  const ParamSpec& count = *builtinCatalog().find("workers")->param("count");
  return static_cast<int>(std::get<std::int64_t>(valueOf(node, count)));
}

/// Made-up trials that take no time: each thread gives 100 samples/s.
class FakeTrial final : public GraphTrial {
 public:
  TrialOutcome run(const Graph& graph) override {
    const int threads = threadsOf(graph);
    measured.push_back(threads);
    if (before) before(measured.size() - 1);
    m_report = {};
    if (stopped) return {TrialOutcome::Kind::Stopped, {}, {}};
    if (threads == failing) return {TrialOutcome::Kind::Failed, "it crashed", {}};
    SpanFigures figures;
    figures.samples = 100;
    figures.seconds = 1;
    figures.samplesPerSecond.mean = rateOf ? rateOf(threads, measured.size() - 1) : 100.0 * threads;
    figures.peakRssBytes = 1'000'000 * static_cast<std::uint64_t>(threads);
    m_report.result.emplace();
    m_report.result->figures = figures;
    m_report.result->repeats = {figures};
    return {TrialOutcome::Kind::Measured, {}, figures};
  }
  void stop() override { stopped = true; }
  const TrialReport& report() const override { return m_report; }

  std::vector<int> measured;                ///< number of threads of each trial, in order
  std::function<void(std::size_t)> before;  ///< called before trial n, from 0
  /// The rate of trial n with so many threads; empty: 100 samples/s for each thread.
  std::function<double(int threads, std::size_t n)> rateOf;
  int failing = 0;  ///< trials with so many threads fail
  bool stopped = false;

 private:
  TrialReport m_report;
};

}  // namespace millrace::tests
