// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/repeat_command.h"

#include <filesystem>
#include <optional>

#include <QRegularExpression>

#include "core/graph/diff/graph_diff.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/open/examples.h"
#include "widgets/common/shell_command.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// The pipeline that the run's name refers to now, with absolute paths as in a kept run.
std::optional<Graph> pipelineNow(const std::string& name, const Catalog& catalog) {
  std::error_code error;
  const std::filesystem::path file(name);
  const auto example = exampleJson(name);
  // A relative name is only valid in the folder where that run was started.
  const bool isFile = file.is_absolute() && std::filesystem::is_regular_file(file, error);
  if (!example && !isFile) return std::nullopt;
  const ReadGraph read = example ? parseGraph(*example, catalog) : readGraph(file, catalog);
  if (!read.graph) return std::nullopt;
  return example ? *read.graph : withAbsolutePaths(*read.graph, catalog, file.parent_path());
}

/// "--set workers.count=4 ...", which turns `now` into what ran; nullopt if settings cannot do
/// that.
std::optional<QStringList> settingsBetween(const Graph& now, const Graph& ran,
                                           const Catalog& catalog) {
  const GraphDiff diff = diffGraphs(now, ran, catalog);
  QStringList flags;
  if (!diff.wiresAdded.empty() || !diff.wiresRemoved.empty()) return std::nullopt;
  for (const NodeDiff& node : diff.nodes) {
    if (node.fate == NodeFate::Same) continue;
    if (node.fate != NodeFate::Changed || node.renamed() || node.moved ||
        node.stateBefore != node.stateAfter)
      return std::nullopt;
    const NodeSpec* spec = catalog.find(node.kind);
    for (const ParamDiff& param : node.params) {
      const ParamSpec* known = spec == nullptr ? nullptr : spec->param(param.param);
      const auto* value = param.after ? std::get_if<Value>(&*param.after) : nullptr;
      if (known == nullptr || known->isData || value == nullptr) return std::nullopt;
      const std::string text = textOf(*value);
      // Only values that survive being written and parsed again.
      if (const auto parsed = parseValue(known->type, text); !parsed || *parsed != *value)
        return std::nullopt;
      flags << "--set" << toQt(node.id() + "." + param.param + "=" + text);
    }
  }
  if (diff.seedBefore != diff.seedAfter) flags << "--seed" << QString::number(diff.seedAfter);
  return flags;
}

/// Converts a record's measurement text ("5 s", "100 batches from 2:15") to flags
/// (docs/reference/command-line.md).
QStringList measureFlags(const RunDetails& details) {
  QStringList flags;
  static const QRegularExpression span("^(\\S+) (s|batches|epochs)(?: from (\\d+:\\d+))?$");
  const auto words = span.match(toQt(factOf(details, "measured_span").value_or("")));
  if (words.hasMatch()) {
    const QString unit = words.captured(2);
    flags << (unit == "s" ? QString("--seconds") : "--" + unit) << words.captured(1);
  }
  if (factOf(details, "page_cache_dropped")) flags << "--cold";
  if (const auto ranks = factOf(details, kRanksFact)) flags << "--ranks" << toQt(*ranks);
  if (const auto warmup = factOf(details, "warmup_seconds")) flags << "--warmup" << toQt(*warmup);
  if (details.summary.repeats > 0) flags << "--repeats" << QString::number(details.summary.repeats);
  if (!words.captured(3).isEmpty()) flags << "--start" << words.captured(3);
  if (factOf(details, "draws") == "centred") flags << "--no-random";
  if (factOf(details, "fusing") == "off") flags << "--no-fuse";
  if (details.summary.experiment != "default")
    flags << "--experiment" << toQt(details.summary.experiment);
  return flags;
}

}  // namespace

QString repeatCommand(const KeptRun& run, const Catalog& catalog, const QString& store) {
  const QStringList where = store.isEmpty() ? QStringList() : QStringList{"--store", store};
  const QStringList measure = measureFlags(run.details) + where;
  const std::string& name = run.details.summary.pipelineName;
  const ReadGraph ran = parseGraph(run.pipelineJson, catalog);
  if (const auto now = pipelineNow(name, catalog); now && ran.graph)
    if (const auto settings = settingsBetween(*now, *ran.graph, catalog))
      return shellCommand(QStringList{"millrace", "run", toQt(name)} + *settings + measure);
  const QString number = QString::number(static_cast<std::int64_t>(run.details.summary.number));
  return shellCommand(QStringList{"millrace", "export", "--run", number} + where +
                      QStringList{"--to", "json"}) +
         " | " + shellCommand(QStringList{"millrace", "run", "-"} + measure);
}

}  // namespace millrace
