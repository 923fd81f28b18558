// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/live_sweep.h"

#include <algorithm>
#include <utility>

#include <QJsonArray>

#include "widgets/common/strings.h"
#include "widgets/models/live/wait_text.h"

namespace millrace {

namespace {

std::vector<std::string> textsOf(const QJsonArray& array) {
  std::vector<std::string> texts;
  for (const QJsonValue& each : array) texts.push_back(fromQt(each.toString()));
  return texts;
}

std::vector<double> numbersOf(const QJsonArray& array) {
  std::vector<double> numbers;
  for (const QJsonValue& each : array) numbers.push_back(each.toDouble());
  return numbers;
}

Value valueOf(const QJsonValue& json) {
  if (json.isBool()) return json.toBool();
  if (json.isArray()) {
    const QJsonArray array = json.toArray();
    if (!array.isEmpty() && array.first().isDouble()) return numbersOf(array);
    return textsOf(array);
  }
  if (!json.isDouble()) return fromQt(json.toString());
  // Qt keeps whole numbers from a text as integers.
  const QVariant number = json.toVariant();
  if (number.typeId() == QMetaType::LongLong) return std::int64_t{number.toLongLong()};
  return json.toDouble();
}

SweepAxis axisOf(const QJsonObject& json) {
  SweepAxis axis;
  const std::string name = fromQt(json["param"].toString());
  const std::size_t dot = name.find('.');
  axis.node = name.substr(0, dot);
  if (dot != std::string::npos) axis.param = name.substr(dot + 1);
  for (const QJsonValue& value : json["values"].toArray()) axis.values.push_back(valueOf(value));
  axis.current = valueOf(json["current"]);
  return axis;
}

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

void LiveSweep::take(const QJsonObject& event) {
  const QString name = event["event"].toString();
  if (name == "sweep") takePlan(event);
  if (name == "trial_begun") takeBegun(event);
  if (name == "waiting") m_wait = millrace::waitText(event);
  if (name == "trial_ended") takeEnded(event);
}

void LiveSweep::takePlan(const QJsonObject& event) {
  const QJsonArray trials = event["trials"].toArray();
  // The current setting may come in addition to the maximum number.
  if (isKnown() || trials.size() > static_cast<qsizetype>(kMostPoints) + 1) return;
  m_experiment = event["experiment"].toString();
  m_repeats = std::max(1, event["repeats"].toInt());
  for (const QJsonValue& axis : event["axes"].toArray())
    m_plan.axes.push_back(axisOf(axis.toObject()));
  for (const QJsonValue& each : trials) {
    const QJsonObject trial = each.toObject();
    const QJsonObject settings = trial["settings"].toObject();
    SweepPoint point;
    for (const SweepAxis& axis : m_plan.axes)
      point.values.push_back(valueOf(settings[toQt(axis.name())]));
    point.current = trial["current"].toBool();
    point.designed = trial["designed"].toBool(true);
    m_plan.points.push_back(std::move(point));
    PointState state;
    for (const QJsonValue& rate : trial["rates"].toArray())
      state.repeats.push_back(figuresOf(rate.toDouble()));
    state.failure = fromQt(trial["reason"].toString());
    m_points.push_back(std::move(state));
    m_runs.push_back(trial["run_id"].toString());
  }
  if (!isSound(m_plan)) {
    begin(m_title, m_names);
    return;
  }
  m_state = State::Going;
  m_stale = true;
}

std::optional<std::size_t> LiveSweep::pointOf(const QJsonObject& event) const {
  const int trial = event["trial"].toInt(-1);
  if (trial < 0 || static_cast<std::size_t>(trial) >= m_points.size()) return std::nullopt;
  return static_cast<std::size_t>(trial);
}

void LiveSweep::takeBegun(const QJsonObject& event) {
  const auto point = pointOf(event);
  if (!point) return;
  m_running = point;
  m_repeat = event["repeat"].toInt();
  m_done = event["done"].toInt();
  m_of = event["of"].toInt();
  if (event["seconds_left"].isDouble()) m_secondsLeft = event["seconds_left"].toDouble();
  if (const QString run = event["run_id"].toString(); !run.isEmpty()) m_runs[*point] = run;
}

void LiveSweep::takeEnded(const QJsonObject& event) {
  const auto point = pointOf(event);
  if (!point) return;
  m_running.reset();
  m_wait.clear();
  const QString state = event["state"].toString();
  if (state == "replaced") ++m_replaced;
  if (state == "failed") {
    m_points[*point].failure = fromQt(event["reason"].toString());
    if (m_points[*point].failure.empty()) m_points[*point].failure = "unknown reason";
  }
  std::vector<SpanFigures>& repeats = m_points[*point].repeats;
  const bool wanted = static_cast<int>(repeats.size()) < m_repeats;
  if (state == "measured" && wanted && event["rate"].isDouble()) {
    ++m_done;
    repeats.push_back(figuresOf(event["rate"].toDouble()));
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
