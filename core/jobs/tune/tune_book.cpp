// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/tune/block_measurement.h"

namespace millrace {

double TuneBook::secondsLeft() const {
  return std::max(0.0, m_task.meaning().budgetSeconds - m_clock.seconds());
}

void TuneBook::begin(std::size_t number, bool replayed, const std::string& runId) {
  m_replaying = replayed;
  m_lastRate.reset();
  TunedSetting& setting = m_outcome.settings[number];
  if (replayed) setting.runId = runId;
  if (TuneKeeper* keeper = writer()) {
    keeper->beginTrial(number);
    setting.runId = keeper->runId(number);
  }
  m_observer.onTrialBegin(m_outcome, {number, secondsLeft(), replayed});
  ++m_outcome.trials;
}

JudgedTrial TuneBook::judge(std::size_t number, TriedSetting tried, const TrialReport& report) {
  const TuneMeaning& meaning = m_task.meaning();
  const std::uint64_t most = meaning.rules.limits.memoryBytes;
  const SpanFigures& figures = tried.outcome.figures;
  if (tried.outcome.kind == TrialOutcome::Kind::Failed)
    return fail(
        number, tried.outcome.reason,
        tried.overMemory ? TunerObservation::Kind::OverLimit : TunerObservation::Kind::Failed);
  if (most > 0 && figures.peakRssBytes.value_or(0) > most)
    return fail(number,
                fmt::format("it used {} of memory, more than the limit",
                            humanBytes(static_cast<double>(*figures.peakRssBytes))),
                TunerObservation::Kind::OverLimit);
  // Measured trials are restricted to the cores; kept ones had all cores of that time.
  if (m_task.coreLimit && coresOf(figures).value_or(0) > *m_task.coreLimit)
    return fail(number,
                fmt::format("it kept {:.1f} cores busy, more than the limit", *coresOf(figures)),
                TunerObservation::Kind::OverLimit);
  if (const auto score = scoreOf(meaning.goal, figures, tried.seconds))
    return count(number, std::move(tried.outcome.figures), *score, report);
  return fail(number,
              fmt::format("{} could not be measured; measure for longer", nameOf(meaning.goal)),
              TunerObservation::Kind::Failed);
}

JudgedTrial TuneBook::fail(std::size_t number, const std::string& reason,
                           TunerObservation::Kind kind) {
  TunedSetting& setting = m_outcome.settings[number];
  JudgedTrial judged;
  judged.told.kind = kind;
  judged.reason = reason;
  if (m_tuner != nullptr && m_tuner->isReplaced(judged.told)) {
    judged.state = TuneStep::State::Replaced;
    replace(number, reason);
    return judged;
  }
  setting.failure = singleLine(reason);
  setting.overLimit = kind == TunerObservation::Kind::OverLimit;
  judged.state = setting.overLimit ? TuneStep::State::OverLimit : TuneStep::State::Failed;
  if (TuneKeeper* keeper = writer()) keeper->failTrial(number, reason, m_outcome.figuresOf(number));
  reportEnd(number,
            setting.overLimit ? TrialEndedEvent::State::OverLimit : TrialEndedEvent::State::Failed,
            reason, std::nullopt);
  return judged;
}

JudgedTrial TuneBook::count(std::size_t number, SpanFigures figures, double score,
                            const TrialReport& report) {
  TunedSetting& setting = m_outcome.settings[number];
  m_lastRate = figures.samplesPerSecond.mean;
  JudgedTrial judged;
  judged.told.score = score;
  judged.told.disturbed = isDisturbed({figures});
  if (m_tuner != nullptr && m_tuner->isReplaced(judged.told)) {
    judged.state = TuneStep::State::Replaced;
    dropRepeat(number);
    return judged;
  }
  setting.repeats.push_back(std::move(figures));
  setting.scores.push_back(score);
  if (TuneKeeper* keeper = writer())
    keeper->keepTrial(number, setting.repeats.size() - 1, false, report,
                      m_outcome.figuresOf(number));
  // The unmodified pipeline is measured before there is a tuner that could request it again.
  if (m_tuner == nullptr) {
    judged.told.disturbed = false;
    reportMeasured(number, false);
  }
  return judged;
}

void TuneBook::dropRepeat(std::size_t number) {
  ++m_outcome.replaced;
  if (TuneKeeper* keeper = writer()) keeper->dropTrial(number);
}

void TuneBook::replace(std::size_t number, const std::string& reason) {
  dropRepeat(number);
  if (!reason.empty()) reportEnd(number, TrialEndedEvent::State::Replaced, reason, std::nullopt);
}

void TuneBook::reportMeasured(std::size_t number, bool replaced) {
  reportEnd(number, replaced ? TrialEndedEvent::State::Replaced : TrialEndedEvent::State::Measured,
            "", m_lastRate);
}

void TuneBook::updateGains() {
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s)
    if (const auto gained = m_tuner->gainOf(s)) m_outcome.settings[s].gain = std::exp(*gained);
}

void TuneBook::reportEnd(std::size_t number, TrialEndedEvent::State kind, const std::string& reason,
                         std::optional<double> rate) {
  const std::optional<std::size_t> best = m_tuner != nullptr ? m_tuner->best() : std::nullopt;
  m_observer.onTrialEnd(m_outcome, {number, kind, reason, rate, best, m_replaying});
}

}  // namespace millrace
