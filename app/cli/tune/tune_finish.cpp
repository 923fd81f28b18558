// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The end of a tuning, after its search.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/tune/tune_job.h"
#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

/// Notes the model's predictions for settings with one change and their measurements, as rates next
/// to the rate that the model started from.
void TuneJob::notePredictions() {
  if (!m_outcome.diagnosis || m_meaning.goal != TuneGoal::Throughput) return;
  if (m_keeper && m_kept) m_keeper->dropPredictions();
  const double from = m_outcome.diagnosis->counters.samplesPerSecond();
  for (std::size_t s = 1; s < m_outcome.settings.size(); ++s) {
    const TunedSetting& setting = m_outcome.settings[s];
    const auto axis = onlyMoved(m_outcome.axes, setting.point);
    if (!axis || !setting.gain || setting.repeats.empty() || m_predicted[*axis].empty()) continue;
    const auto& predicted = m_predicted[*axis][setting.point[*axis]];
    if (!predicted) continue;
    m_outcome.predictions.push_back(
        {setting.edits.front().editText(), s, *predicted, from * *setting.gain});
    if (!m_keeper || !m_keeper->run(0)) continue;
    PredictionRecord record;
    record.run = *m_keeper->run(0);
    record.edit = m_outcome.predictions.back().edit;
    record.low = predicted->low;
    record.middle = predicted->middle;
    record.high = predicted->high;
    record.followedBy = m_keeper->run(s);
    record.followedValue = m_outcome.predictions.back().measured;
    m_keeper->addPrediction(record);
  }
}

void TuneJob::takeOutcome() {
  m_outcome.spentSeconds = m_clock.seconds();
  m_outcome.stopped = stopped();
  if (m_tuner) {
    updateGains();
    m_outcome.end = m_tuner->end();
    m_outcome.best = m_tuner->best();
  } else if (!m_outcome.settings.front().repeats.empty()) {
    m_outcome.best = 0;
  }
  std::vector<TuneBalance> balances;
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s) {
    const SpanFigures figures = m_outcome.figuresOf(s);
    const bool fine = m_outcome.settings[s].failure.empty();
    balances.push_back({fine ? m_outcome.levelRateOf(s).value_or(0) : 0,
                        static_cast<double>(figures.peakRssBytes.value_or(0)),
                        coresOf(figures).value_or(0)});
  }
  // With another goal, the best setting need not be fast, but it was still the one chosen.
  const bool forRate = m_meaning.goal == TuneGoal::Throughput;
  m_outcome.front = paretoFront(std::move(balances), forRate ? m_outcome.best : std::nullopt);
  if (m_outcome.best &&
      std::ranges::find(m_outcome.front, *m_outcome.best) == m_outcome.front.end())
    m_outcome.front.insert(m_outcome.front.begin(), *m_outcome.best);
  if (!m_outcome.best || *m_outcome.best == 0) return;
  ScorePairs pairs = m_tuner->pairsOf(0, *m_outcome.best);
  for (auto* side : {&pairs.a, &pairs.b})
    for (double& score : *side) score = std::exp(score);
  m_outcome.verdict = judgeTogether(pairs.a, pairs.b, {pairs.a.size(), 0});
}

/// Returns false if the best pipeline was to be written and was not.
bool TuneJob::writeBest() {
  if (!m_outcome.best) return m_arguments.output.empty();
  const TunedSetting& best = m_outcome.settings[*m_outcome.best];
  const Result<Graph> graph = best.edits.empty()
                                  ? Result<Graph>(m_graph)
                                  : graphAt(m_graph, builtinCatalog(), m_outcome.axes, best.point);
  if (!graph) return m_arguments.output.empty();
  m_outcome.document = graphText(*graph, builtinCatalog());
  m_outcome.compare = compareCommandOf(m_arguments, best.edits);
  m_outcome.write = writeCommandOf(m_arguments, best.edits, best.runId);
  if (m_arguments.output.empty()) return true;
  const Status written = saveGraph(m_arguments.output, *graph, builtinCatalog());
  if (written)
    m_outcome.written = m_arguments.output;
  else
    fmt::print(stderr, "{}", wrapped("error: -o: " + validUtf8(written.error().message), 4));
  return written.ok();
}

SpanFigures TuneJob::keptFiguresOf(std::size_t trial) const {
  std::vector<SpanFigures> repeats;
  if (m_kept)
    for (const KeptTrial& kept : m_kept->trials)
      if (kept.step.trial == trial && kept.figures) repeats.push_back(*kept.figures);
  return combineRepeats(repeats);
}

/// A stopped tuning may be continued, so its runs are left open.
void TuneJob::endRuns() {
  if (!m_keeper) return;
  const bool whole = !m_outcome.stopped && m_outcome.missing.empty();
  std::vector<SpanFigures> figures;
  for (std::size_t s = 0; s < m_keeper->count(); ++s) figures.push_back(keptFiguresOf(s));
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s) {
    const TunedSetting& setting = m_outcome.settings[s];
    figures[s] = m_outcome.figuresOf(s);
    if (whole && !setting.repeats.empty() && setting.failure.empty())
      m_keeper->endTrial(s, figures[s]);
  }
  m_keeper->finish(figures);
  if (whole) m_keeper->addLine(lineOfEnd());
}

void TuneJob::sayHowToGoOn() const {
  if (replays()) return;
  if (m_keeper)
    fmt::print(stderr, "stopped; continue with:\n  {}\n",
               validUtf8(resumeCommandOf(m_arguments, m_outcome.experiment)));
  else
    fmt::print(stderr, "stopped; it was not kept and cannot be continued\n");
}

int TuneJob::finish() {
  takeOutcome();
  notePredictions();
  endRuns();
  const bool written = writeBest();
  if (m_events) {
    m_events->tuneEnded(m_outcome);
    m_events->result(tuneJson(m_outcome, false));
  } else if (m_arguments.json) {
    fmt::print("{}\n", tuneJson(m_outcome, true));
  } else {
    fmt::print("{}", tuneText(m_outcome));
  }
  std::fflush(stdout);
  if (m_outcome.stopped) {
    sayHowToGoOn();
    return kInterrupted;
  }
  if (!m_outcome.missing.empty()) return refuse(m_outcome.missing, kFailed);
  return m_outcome.best && written ? kDone : kFailed;
}

}  // namespace millrace::cli
