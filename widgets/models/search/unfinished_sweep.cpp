// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/unfinished_sweep.h"

#include <algorithm>

#include <QRegularExpression>

#include "core/graph/graph_json.h"
#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

/// One setting of a trial: parameter and value, "workers.count" and "2".
using TrialSetting = std::pair<QString, QString>;

bool isWhole(const TrialRecord& trial) {
  return trial.state == TrialState::Finished || trial.state == TrialState::Failed;
}

/// Parses "workers.count=2 batch.size=32"; a value may contain spaces.
QList<TrialSetting> settingsOf(const std::string& text) {
  static const QRegularExpression name("^([a-z][a-z0-9_-]*\\.[a-z][a-z0-9_]*)=(.*)$");
  QList<TrialSetting> settings;
  for (const QString& word : toQt(text).split(' ')) {
    const auto match = name.match(word);
    if (match.hasMatch())
      settings << TrialSetting(match.captured(1), match.captured(2));
    else if (!settings.isEmpty())
      settings.last().second += ' ' + word;
  }
  return settings;
}

/// All parameters with the values that the trials give them; trial `without` is left out.
std::vector<SweepVariation> variationsOf(const SearchSummary& search,
                                         std::optional<std::size_t> without) {
  std::vector<SweepVariation> variations;
  QList<QStringList> values;
  for (std::size_t t = 0; t < search.trials.size(); ++t) {
    if (without == t) continue;
    const QList<TrialSetting> settings = settingsOf(search.trials[t].settings);
    for (qsizetype a = 0; a < settings.size(); ++a) {
      if (a == values.size()) {
        values << QStringList();
        variations.push_back({fromQt(settings[a].first.section('.', 0, 0)),
                              fromQt(settings[a].first.section('.', 1)),
                              {}});
      }
      if (!values[a].contains(settings[a].second)) values[a] << settings[a].second;
    }
  }
  for (std::size_t a = 0; a < variations.size(); ++a)
    variations[a].values = fromQt(values[static_cast<qsizetype>(a)].join(','));
  return variations;
}

/// The plan of that order, if it has exactly these trials.
std::optional<SweepPlan> planOf(const SweepOrder& order, const SearchSummary& search,
                                const Graph& graph, const Catalog& catalog) {
  std::vector<SweepAxis> axes;
  for (const SweepVariation& variation : order.variations) {
    Result<SweepAxis> axis = parseVary(graph, catalog, variation.text());
    if (!axis) return std::nullopt;
    axes.push_back(axis.take());
  }
  Result<SweepPlan> plan = planSweep(std::move(axes), order.design, graph.seed);
  if (!plan || plan->points.size() != search.trials.size()) return std::nullopt;
  for (std::size_t p = 0; p < plan->points.size(); ++p)
    if (plan->settings(p) != search.trials[p].settings) return std::nullopt;
  return plan.take();
}

/// The trial whose settings are those of the document.
std::optional<std::size_t> currentOf(const SearchSummary& search, const Graph& graph,
                                     const Catalog& catalog) {
  for (std::size_t t = 0; t < search.trials.size(); ++t) {
    const QList<TrialSetting> settings = settingsOf(search.trials[t].settings);
    const bool current = std::ranges::all_of(settings, [&](const TrialSetting& setting) {
      const GraphNode* node = graph.node(fromQt(setting.first.section('.', 0, 0)));
      const NodeSpec* kind = node == nullptr ? nullptr : catalog.find(node->kind);
      const ParamSpec* spec =
          kind == nullptr ? nullptr : kind->param(fromQt(setting.first.section('.', 1)));
      return spec != nullptr && toQt(textOf(valueOf(*node, *spec))) == setting.second;
    });
    if (current) return t;
  }
  return std::nullopt;
}

QString factOf(const RunDetails& details, std::string_view key) {
  for (const KeyValue& fact : details.environment)
    if (fact.first == key) return toQt(fact.second);
  return {};
}

/// How it was measured; nullopt if the workbench cannot express that.
std::optional<SweepOrder> measureOf(const RunDetails& details) {
  static const QRegularExpression sweep("^(\\S+), (\\d+) repeats, ");
  static const QRegularExpression span("^([0-9.e+-]+) s$");
  const auto planned = sweep.match(factOf(details, "sweep"));
  const auto measured = span.match(factOf(details, "measured_span"));
  if (!planned.hasMatch() || !measured.hasMatch() || factOf(details, "draws") == "centred" ||
      factOf(details, "fusing") == "off")
    return std::nullopt;
  const Result<SweepDesign> design = parseDesign(fromQt(planned.captured(1)));
  if (!design) return std::nullopt;
  SweepOrder order;
  order.design = *design;
  order.repeats = planned.captured(2).toInt();
  order.seconds = measured.captured(1).toDouble();
  order.warmupSeconds = factOf(details, "warmup_seconds").toDouble();
  return order;
}

/// Whether the run of trial `point` has this pipeline with that trial's settings.
Result<bool> isOf(RunStore& store, const TrialRecord& trial, const SweepPlan& plan,
                  const Graph& graph, const Catalog& catalog) {
  const Result<std::string> kept = store.pipelineJson(*trial.run);
  if (!kept) return kept.error();
  const Result<Graph> own = withSettings(
      graph, catalog, plan.axes, plan.points[static_cast<std::size_t>(trial.position)].values);
  return own.ok() && *kept == graphText(*own, catalog);
}

Result<std::optional<UnfinishedSweep>> asUnfinished(RunStore& store, const SearchSummary& search,
                                                    const Graph& graph, const Catalog& catalog) {
  const std::optional<UnfinishedSweep> none;
  const auto begun = std::ranges::find_if(
      search.trials, [](const TrialRecord& trial) { return trial.run.has_value(); });
  if (begun == search.trials.end()) return none;
  for (const TrialRecord& trial : search.trials) {
    if (!trial.run || isWhole(trial)) continue;
    const Result<RunDetails> details = store.show(*trial.run);
    if (!details) return details.error();
    if (details->summary.state == RunState::Running) return none;  // It is still running.
  }
  const Result<RunDetails> details = store.show(*begun->run);
  if (!details) return details.error();
  const std::optional<SweepOrder> measured = measureOf(*details);
  if (!measured) return none;
  // The current setting may have been measured in addition to the grid. Its values then belong to
  // no axis.
  for (const auto without : {std::optional<std::size_t>(), currentOf(search, graph, catalog)}) {
    UnfinishedSweep found{toQt(search.experiment), *measured, 0,
                          static_cast<int>(search.trials.size())};
    found.order.variations = variationsOf(search, without);
    const auto plan = planOf(found.order, search, graph, catalog);
    if (!plan) continue;
    const Result<bool> same = isOf(store, *begun, *plan, graph, catalog);
    if (!same) return same.error();
    if (!*same) return none;
    found.measured = static_cast<int>(std::ranges::count_if(search.trials, isWhole));
    return std::optional(std::move(found));
  }
  return none;
}

}  // namespace

Result<std::optional<UnfinishedSweep>> unfinishedSweep(RunStore& store, const Graph& graph,
                                                       const Catalog& catalog) {
  MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
  for (const SearchSummary& search : searches) {
    if (std::ranges::all_of(search.trials, isWhole)) continue;
    auto found = asUnfinished(store, search, graph, catalog);
    if (!found || *found) return found;
  }
  return std::optional<UnfinishedSweep>();
}

}  // namespace millrace
