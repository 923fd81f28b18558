// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/tune_order.h"

#include <algorithm>

#include "widgets/common/format.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

constexpr double kStartSeconds = 0.3;  ///< estimated start time of a trial

constexpr SampleChange kChanges[] = {SampleChange::Order, SampleChange::Batching,
                                     SampleChange::Content};

QString problemOf(const Graph& graph, const Catalog& catalog, const TuneOrder& order,
                  const SweepVariation& variation) {
  const GraphNode* node = graph.node(variation.node);
  const NodeSpec* kind = node == nullptr ? nullptr : catalog.find(node->kind);
  if (kind == nullptr) return "It is no longer in the pipeline.";
  const SampleChange change = sampleChangeOf(*kind, variation.param);
  if (order.allowed.allows(change)) return {};
  return QString("Other values change the %1 that training gets. Allow that above.")
      .arg(toQt(nameOf(change)));
}

}  // namespace

QStringList TuneOrder::flags() const {
  const TuneOrder usual;
  QStringList flags{"--budget", plainNumber(budgetSeconds) + "s"};
  if (warmupSeconds != usual.warmupSeconds) flags << "--warmup" << plainNumber(warmupSeconds);
  if (seconds != usual.seconds) flags << "--seconds" << plainNumber(seconds);
  if (goal != TuneGoal::Throughput) flags << "--for" << toQt(nameOf(goal));
  if (memoryBytes > 0) flags << "--memory" << QString::number(memoryBytes) + "B";
  if (cores > 0) flags << "--cores" << QString::number(cores);
  for (const SampleChange change : kChanges)
    if (allowed.allows(change)) flags << "--allow" << toQt(nameOf(change));
  for (const SweepVariation& variation : variations) flags << "--vary" << toQt(variation.text());
  return flags;
}

QString TuneOrder::command(const QString& subject) const {
  return shellCommand(QStringList{"millrace", "tune", subject} + flags());
}

bool TuneCheck::ok() const {
  return problem.isEmpty() &&
         std::ranges::all_of(problems, [](const QString& each) { return each.isEmpty(); });
}

TuneCheck checkTune(const Graph& graph, const Catalog& catalog, const TuneOrder& order) {
  TuneCheck check;
  for (const SweepVariation& variation : order.variations) {
    const Result<SweepAxis> axis = parseVary(graph, catalog, variation.text());
    check.problems.push_back(axis ? problemOf(graph, catalog, order, variation)
                                  : variation.shownError(axis.error()));
    check.axes.push_back(axis ? std::optional(*axis) : std::nullopt);
  }
  std::vector<SweepAxis> axes;
  for (const auto& axis : check.axes)
    if (axis) axes.push_back(*axis);
  if (check.ok())
    if (const Status used = checkUsed(graph, catalog, axes); !used)
      check.problem = sentence(used.error().message);
  check.trials =
      std::max(1, static_cast<int>(order.budgetSeconds /
                                   (order.warmupSeconds + order.seconds + kStartSeconds)));
  return check;
}

QString shownGoal(TuneGoal goal) {
  switch (goal) {
    case TuneGoal::Throughput: return "most samples per second";
    case TuneGoal::Cost: return "least CPU time per sample";
    case TuneGoal::Latency: return "shortest wait for a batch";
    case TuneGoal::EpochTime: return "shortest first epoch";
  }
  return {};
}

QString goalFigure(TuneGoal goal) {
  switch (goal) {
    case TuneGoal::Throughput: return "Samples/s";
    case TuneGoal::Cost: return QString("CPU s per 1%1000 samples").arg(kNoBreak);
    case TuneGoal::Latency: return "Wait for a batch, p95";
    case TuneGoal::EpochTime: return "First epoch";
  }
  return {};
}

QString shownGoalValue(TuneGoal goal, double value) {
  switch (goal) {
    case TuneGoal::Throughput: return shownRate(value);
    case TuneGoal::Latency: return shownMs(value);
    case TuneGoal::Cost:
    case TuneGoal::EpochTime: break;
  }
  constexpr int kDigits = 3;
  return shownNumber(QString::number(value, 'g', kDigits).toDouble()) + kNoBreak + 's';
}

}  // namespace millrace
