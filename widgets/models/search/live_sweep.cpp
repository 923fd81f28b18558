// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/live_sweep.h"

#include <algorithm>
#include <utility>

#include "widgets/common/strings.h"
#include "widgets/models/live/wait_text.h"

namespace millrace {

namespace {

constexpr std::uint64_t kMostShown = 1'000'000'000;

/// A number of the stream, which may come from a foreign program, as Qt counts.
int shownNumber(std::uint64_t number) { return static_cast<int>(std::min(number, kMostShown)); }

/// Whether the plan can be analysed: one current setting, and otherwise only values of the axes.
bool isSound(const SweepPlan& plan) {
  if (std::ranges::count(plan.points, true, &SweepPoint::current) != 1) return false;
  return std::ranges::all_of(plan.points, [&](const SweepPoint& point) {
    for (std::size_t a = 0; point.designed && a < plan.axes.size(); ++a)
      if (std::ranges::count(plan.axes[a].values, point.values[a]) != 1) return false;
    return true;
  });
}

SpanFigures figuresOf(double rate) {
  SpanFigures figures;
  figures.samplesPerSecond.mean = rate;
  return figures;
}

}  // namespace

void LiveSweep::begin(QString title, SettingNames names) {
  *this = LiveSweep();
  m_title = std::move(title);
  m_names = std::move(names);
  m_state = State::Preparing;
}

void LiveSweep::take(const StreamEvent& event) {
  if (const auto* sweep = std::get_if<SweepEvent>(&event.content)) takePlan(*sweep);
  if (const auto* begun = std::get_if<TrialBegunEvent>(&event.content)) takeBegun(*begun);
  if (const auto* waiting = std::get_if<WaitingEvent>(&event.content))
    m_wait = millrace::waitText(waiting->phase.secondsLeft);
  if (const auto* ended = std::get_if<TrialEndedEvent>(&event.content)) takeEnded(*ended);
}

void LiveSweep::takePlan(const SweepEvent& event) {
  // The current setting may come in addition to the maximum number.
  if (isKnown() || event.trials.size() > kMostPoints + 1) return;
  m_experiment = toQt(event.experiment);
  m_repeats = static_cast<int>(std::clamp<std::uint64_t>(event.repeats, 1, kMostShown));
  m_plan.axes = event.axes;
  for (const SweepEvent::Trial& trial : event.trials) {
    SweepPoint point;
    for (const SweepAxis& axis : m_plan.axes) {
      const auto setting = trial.settings.find(axis.name());
      point.values.push_back(setting == trial.settings.end() ? Value(std::string())
                                                             : setting->second);
    }
    point.current = trial.current;
    point.designed = trial.designed;
    m_plan.points.push_back(std::move(point));
    PointState state;
    for (const std::optional<double>& rate : trial.rates)
      state.repeats.push_back(figuresOf(rate.value_or(0)));
    state.failure = trial.reason;
    m_points.push_back(std::move(state));
    m_runs.push_back(toQt(trial.runId));
  }
  if (!isSound(m_plan)) {
    begin(m_title, m_names);
    return;
  }
  m_state = State::Going;
  m_stale = true;
}

std::optional<std::size_t> LiveSweep::pointOf(std::optional<std::uint64_t> trial) const {
  if (!trial || *trial >= m_points.size()) return std::nullopt;
  return static_cast<std::size_t>(*trial);
}

void LiveSweep::takeBegun(const TrialBegunEvent& event) {
  const auto point = pointOf(event.trial);
  if (!point) return;
  m_running = point;
  m_repeat = shownNumber(event.repeat);
  m_done = shownNumber(event.done);
  m_of = shownNumber(event.of.value_or(0));
  if (event.secondsLeft) m_secondsLeft = event.secondsLeft;
  if (!event.runId.empty()) m_runs[*point] = toQt(event.runId);
}

void LiveSweep::takeEnded(const TrialEndedEvent& event) {
  const auto point = pointOf(event.trial);
  if (!point) return;
  m_running.reset();
  m_wait.clear();
  if (event.state == TrialEndedEvent::State::Replaced) ++m_replaced;
  if (event.state == TrialEndedEvent::State::Failed)
    m_points[*point].failure = event.reason.empty() ? "unknown reason" : event.reason;
  std::vector<SpanFigures>& repeats = m_points[*point].repeats;
  const bool wanted = static_cast<int>(repeats.size()) < m_repeats;
  if (event.state == TrialEndedEvent::State::Measured && wanted && event.rate) {
    ++m_done;
    repeats.push_back(figuresOf(*event.rate));
  }
  m_stale = true;
}

const SweepFinding& LiveSweep::finding() const {
  if (std::exchange(m_stale, false)) m_finding = analyseSweep(m_plan, m_points);
  return m_finding;
}

void LiveSweep::finish(const ChildEnd& end) {
  m_state = State::Over;
  m_running.reset();
  m_wait.clear();
  m_secondsLeft.reset();
  m_end = end;
}

std::optional<double> LiveSweep::rateOf(std::size_t point) const {
  if (m_points[point].failed() || m_points[point].repeats.empty()) return std::nullopt;
  return finding().figures[point].samplesPerSecond.mean;
}

int LiveSweep::failed() const {
  return static_cast<int>(std::ranges::count_if(m_points, &PointState::failed));
}

QString LiveSweep::stateText(std::size_t point) const {
  const PointState& state = m_points[point];
  if (state.failed()) return "failed";
  const auto done = static_cast<int>(state.repeats.size());
  if (m_running == point)
    return m_repeats == 1 ? QString("measuring")
                          : QString("measuring, %1 of %2").arg(m_repeat).arg(m_repeats);
  if (done == 0) return m_state == State::Over ? "not measured" : "waiting";
  return done >= m_repeats ? QString("measured") : QString("%1 of %2").arg(done).arg(m_repeats);
}

}  // namespace millrace
