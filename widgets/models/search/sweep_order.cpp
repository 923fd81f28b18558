// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/sweep_order.h"

#include <algorithm>
#include <cmath>

#include "core/graph/graph_check.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr double kTrialCosts = 0.3;        ///< s, for starting the engine and filling its queues
constexpr std::size_t kMostChecked = 200;  ///< further values are checked by the engine

/// The first error of the document with `value`; nullopt if it has no more errors than without.
std::optional<QString> errorWith(const Graph& graph, const Catalog& catalog,
                                 const CheckOptions& options, const SweepAxis& axis,
                                 const Value& value) {
  const Result<Graph> set = withSettings(graph, catalog, {axis}, {value});
  if (!set) return sentence(set.error().message);
  const CheckResult checked = checkGraph(*set, catalog, options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error)
      return toQt(axis.name() + "=" + textOf(value) + ": ") + sentence(problem.message) +
             (problem.remedy.empty() ? QString() : ' ' + sentence(problem.remedy));
  return std::nullopt;
}

bool runs(const CheckResult& checked, const NodeId& node) {
  return !checked.pipeline || std::ranges::find(checked.pipeline->nodes, node, &CheckedNode::id) !=
                                  checked.pipeline->nodes.end();
}

QString problemOf(const Graph& graph, const Catalog& catalog, const CheckOptions& options,
                  const CheckResult& checked, const SweepAxis& axis, std::size_t& budget) {
  if (!runs(checked, axis.node))
    return "This node is not between the source and the consumer, so its values have no "
           "effect.";
  for (const Value& value : axis.values) {
    if (budget == 0) return {};
    --budget;
    if (const auto error = errorWith(graph, catalog, options, axis, value)) return *error;
  }
  return {};
}

std::vector<ProposedValues> proposedNumbers(const ParamSpec& spec, double now) {
  const double least = spec.minimum.value_or(-1e300);
  const double most = spec.maximum.value_or(1e300);
  const bool whole = spec.type == ParamType::Integer;
  const auto within = [&](double value) {
    return std::clamp(whole ? std::round(value) : value, least, most);
  };
  std::vector<ProposedValues> proposed;
  const double from = within(std::max(now / 4, whole ? 1.0 : 0.0));
  const double to = within(std::max(now * 4, whole ? 8.0 : 0.0));
  if (from > 0 && to >= 2 * from)
    proposed.push_back({"Doubling", plainNumber(from) + ".." + plainNumber(to) + ":x2"});
  const double step = whole ? std::max(1.0, std::round(now / 4)) : (now == 0 ? 0.1 : now / 4);
  const double low = within(std::max(now - 2 * step, std::min(now, whole ? 1.0 : 0.0)));
  const double high = within(now + 3 * step);
  if (high > low)
    proposed.push_back({"Range", plainNumber(low) + ".." + plainNumber(high) +
                                     (whole && step == 1 ? QString() : ":" + plainNumber(step))});
  QStringList list;
  for (const double value : {now / 2, now, now * 2})
    if (const QString text = plainNumber(within(value)); !list.contains(text)) list << text;
  if (list.size() > 1) proposed.push_back({"List", list.join(',')});
  return proposed;
}

}  // namespace

std::string SweepVariation::text() const { return node + "." + param + "=" + values; }

QString SweepVariation::shownError(const Error& error) const {
  const std::string name = node + "." + param + ": ";
  const std::string& message = error.message;
  return sentence(message.starts_with(name) ? message.substr(name.size()) : message);
}

QString plainNumber(double value) { return QString::number(value, 'g', 12); }

QStringList SweepOrder::flags() const {
  QStringList flags;
  for (const SweepVariation& variation : variations) flags << "--vary" << toQt(variation.text());
  if (design.kind != SweepDesign::Kind::Full) flags << "--plan" << toQt(textOf(design));
  flags << "--repeats" << QString::number(repeats) << "--seconds" << plainNumber(seconds)
        << "--warmup" << plainNumber(warmupSeconds);
  if (trialSeconds > 0) flags << "--trial-timeout" << plainNumber(trialSeconds);
  if (trialBytes > 0) flags << "--trial-memory" << QString::number(trialBytes) + "B";
  return flags;
}

QString SweepOrder::command(const QString& subject) const {
  return shellCommand(QStringList{"millrace", "sweep", subject} + flags());
}

SweepCheck checkSweep(const Graph& graph, const Catalog& catalog, const std::filesystem::path& base,
                      const SweepOrder& order) {
  CheckOptions options;
  options.base = base;
  options.device = DeviceUse::DontDetect;
  const CheckResult checked = checkGraph(graph, catalog, options);
  SweepCheck check;
  std::vector<SweepAxis> axes;
  std::size_t budget = kMostChecked;
  for (const SweepVariation& variation : order.variations) {
    const Result<SweepAxis> axis = parseVary(graph, catalog, variation.text());
    check.problems.push_back(axis ? problemOf(graph, catalog, options, checked, *axis, budget)
                                  : variation.shownError(axis.error()));
    if (axis) axes.push_back(*axis);
  }
  if (std::ranges::any_of(check.problems, [](const QString& each) { return !each.isEmpty(); }))
    return check;
  if (const Status used = checkUsed(graph, catalog, axes); !used) {
    check.problem = sentence(used.error().message);
    return check;
  }
  Result<SweepPlan> plan = planSweep(std::move(axes), order.design, graph.seed);
  if (!plan) {
    check.problem = sentence(plan.error().message);
    return check;
  }
  check.plan = plan.take();
  check.trials = check.plan->points.size() * static_cast<std::size_t>(std::max(1, order.repeats));
  check.seconds =
      static_cast<double>(check.trials) * (order.warmupSeconds + order.seconds + kTrialCosts);
  return check;
}

std::vector<ProposedValues> proposedValues(const ParamSpec& spec, const Value& current) {
  switch (spec.type) {
    case ParamType::Boolean:
    case ParamType::Choice: return {{"All choices", "*"}};
    case ParamType::Integer:
      return proposedNumbers(spec, static_cast<double>(std::get<std::int64_t>(current)));
    case ParamType::Real: return proposedNumbers(spec, std::get<double>(current));
    default: return {};
  }
}

}  // namespace millrace
