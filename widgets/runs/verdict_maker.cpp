// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/verdict_maker.h"

#include "core/compare/sessions.h"
#include "core/store/stored_values.h"

namespace millrace {

namespace {

/// The number of pipelines whose sessions are kept in memory.
constexpr std::size_t kMostPipelines = 8;

bool goesOn(const KeptRun& run) { return run.details.summary.state == RunState::Running; }

}  // namespace

Status VerdictMaker::addSessions(RunStore& store, KeptRun& run) {
  const RunSummary& summary = run.details.summary;
  auto others = m_samePipeline.find(summary.pipelineDigest);
  if (others == m_samePipeline.end()) {
    if (m_samePipeline.size() >= kMostPipelines) m_samePipeline.clear();
    others =
        m_samePipeline.emplace(summary.pipelineDigest, runsOfSamePipeline(store, summary)).first;
  }
  run.sessionRates = sessionRates(run, others->second, m_catalog);
  return {};
}

Result<JudgedRuns> VerdictMaker::judge(RunStore& store, RunNumber baseline,
                                       const std::vector<RunNumber>& runs, std::uint64_t age) {
  if (age != m_age) {
    m_samePipeline.clear();
    m_baseline.reset();
  }
  m_age = age;
  if (!m_baseline || m_baseline->details.summary.number != baseline) {
    MILLRACE_ASSIGN_OR_RETURN(auto loaded, loadRun(store, baseline));
    m_baseline.emplace(std::move(loaded));
    MILLRACE_TRY(addSessions(store, *m_baseline));
  }
  JudgedRuns verdicts;
  for (const RunNumber number : runs) {
    auto run = loadRun(store, number);
    if (!run) continue;
    MILLRACE_TRY(addSessions(store, *run));
    verdicts[raw(number)] = {judgeRuns(*m_baseline, *run, m_catalog),
                             !goesOn(*m_baseline) && !goesOn(*run)};
  }
  return verdicts;
}

}  // namespace millrace
