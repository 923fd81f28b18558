// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/data_facts.h"

#include <algorithm>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text.h"
#include "core/formats/io/data_path.h"
#include "core/sample_data/sample_data.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

TextList namedIn(const GraphNode& node, const ParamSpec& param) {
  const auto given = node.params.find(param.name);
  const Value* value = given == node.params.end() ? nullptr : std::get_if<Value>(&given->second);
  if (value == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(value)) return {*text};
  if (const auto* list = std::get_if<TextList>(value)) return *list;
  return {};
}

/// False for generated data, which probing would create, and for a pattern that names many files.
bool mayProbe(const std::string& text) {
  if (text.empty() || text.find('{') != std::string::npos) return false;
  const auto generated = sampleNameOf(text);
  return !generated || hasSampleData(*generated);
}

std::int64_t wholeAt(const QJsonObject& json, const char* key) {
  return static_cast<std::int64_t>(json[key].toDouble());
}

/// The source of a proposed pipeline: the node that no wire leads to.
std::string readerIn(const QJsonObject& proposal) {
  const QJsonArray wires = proposal["wires"].toArray();
  for (const QJsonValue& node : proposal["nodes"].toArray()) {
    const QJsonValue id = node["id"];
    if (std::none_of(wires.begin(), wires.end(),
                     [&](const QJsonValue& wire) { return wire["to"] == id; }))
      return fromQt(node["kind"].toString());
  }
  return {};
}

}  // namespace

std::optional<DataFacts> dataFactsIn(const QByteArray& json) {
  const QJsonObject all = QJsonDocument::fromJson(json).object();
  if (!all["readable"].toBool()) return std::nullopt;
  DataFacts facts;
  facts.samples = wholeAt(all, "samples");
  facts.checked = wholeAt(all, "looked_at");
  facts.bytes = all["bytes"].toDouble();
  facts.bytesEstimated = all["bytes_estimated"].toBool();
  facts.classes = all["classes"].toArray().size();
  facts.broken = wholeAt(all, "broken_samples");
  const QJsonObject first = all["broken"].toArray().first().toObject();
  if (!first.isEmpty())
    facts.firstBroken = first["sample"].toString() + ": " + first["reason"].toString();
  facts.reader = readerIn(all["proposal"].toObject());
  for (const QJsonValue& warning : all["warnings"].toArray()) facts.warnings << warning.toString();
  return facts;
}

DataFacts readBy(DataFacts facts, const std::string& kind) {
  if (facts.reader == kind) return facts;
  facts.classes = 0;
  facts.warnings.clear();
  return facts;
}

QString shownFacts(const DataFacts& facts) {
  QStringList parts{shownCount(facts.samples, "sample")};
  if (facts.classes > 0) parts << shownCount(facts.classes, "class", "classes");
  parts << (facts.bytesEstimated ? "about " : "") +
               toQt(humanBytes(facts.bytes)).replace(' ', kNoBreak);
  return parts.join(" · ");
}

std::vector<DataPlace> dataPlaces(const Graph& graph, const Catalog& catalog,
                                  const std::filesystem::path& base) {
  std::vector<DataPlace> places;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || node.state != NodeState::On) continue;
    for (const ParamSpec& param : spec->params) {
      if (!param.isData) continue;
      for (const std::string& text : namedIn(node, param)) {
        if (!mayProbe(text)) continue;
        if (auto path = resolveDataPath(text, base))
          places.push_back({node.id, param.name, path.take().lexically_normal(), node.kind});
      }
    }
  }
  return places;
}

std::vector<Problem> problemsOf(const DataPlace& place, const DataFacts& facts) {
  std::vector<Problem> problems;
  const auto warn = [&](const QString& message, const char* remedy) {
    problems.push_back({Severity::Warning, place.node, place.param, fromQt(message), remedy});
  };
  if (facts.broken > 0) {
    const bool all = facts.checked == facts.samples;
    warn(QString("%1 of %2%3 cannot be read, first %4")
             .arg(shownNumber(facts.broken), shownCount(facts.checked, "sample"),
                  all ? "" : " checked", facts.firstBroken),
         "repair or remove them; a run counts each as failed");
  }
  for (const QString& warning : facts.warnings) warn(warning, "");
  return problems;
}

}  // namespace millrace
