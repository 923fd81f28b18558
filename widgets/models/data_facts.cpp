// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/data_facts.h"

#include <algorithm>

#include "core/base/text/text.h"
#include "core/events/jobs/inspection_json.h"
#include "core/formats/io/data_path.h"
#include "core/sample_data/sample_data.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// Of two paths of one source.
void add(const DataFacts& facts, DataFacts& sum) {
  sum.samples += facts.samples;
  sum.bytes += facts.bytes;
  sum.bytesEstimated = sum.bytesEstimated || facts.bytesEstimated;
  sum.classes = std::max(sum.classes, facts.classes);
}

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

/// The kind of the source of a proposed pipeline: the node that no wire leads to.
std::string readerIn(const Graph& proposal) {
  for (const GraphNode& node : proposal.nodes)
    if (std::ranges::none_of(proposal.wires,
                             [&](const GraphWire& wire) { return wire.to == node.id; }))
      return node.kind;
  return {};
}

}  // namespace

std::optional<DataFacts> dataFactsIn(const QByteArray& json) {
  const auto found = parseInspection({json.data(), static_cast<std::size_t>(json.size())});
  if (!found || !found->survey) return std::nullopt;
  const DataSurvey& survey = *found->survey;
  DataFacts facts;
  facts.samples = survey.samples;
  facts.checked = survey.samplesRead;
  facts.bytes = static_cast<double>(survey.bytes);
  facts.bytesEstimated = survey.bytesEstimated;
  facts.classes = static_cast<qsizetype>(survey.classes.size());
  facts.broken = static_cast<std::int64_t>(survey.broken);
  if (!survey.brokenSamples.empty()) {
    const auto& [name, reason] = survey.brokenSamples.front();
    facts.firstBroken = toQt(name) + ": " + toQt(reason);
  }
  if (found->proposal) facts.reader = readerIn(*found->proposal);
  for (const std::string& warning : survey.warnings) facts.warnings << toQt(warning);
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

QString shownData(const std::vector<std::pair<DataPlace, DataFacts>>& found) {
  if (found.empty()) return {};
  const DataPlace& first = found.front().first;
  DataFacts sum;
  int others = -1;
  for (const auto& [place, facts] : found) {
    if (place.node != first.node || place.param != first.param) continue;
    add(facts, sum);
    ++others;
  }
  const QString more = others > 0 ? QString(" and %1 more").arg(others) : QString();
  return fileText(first.path.filename()) + more + " · " + shownFacts(sum);
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
         "repair or remove them; a run counts each as failed, and ends if more than 1 % fail, "
         "unless "
         "its settings allow more");
  }
  for (const QString& warning : facts.warnings) warn(warning, "");
  return problems;
}

}  // namespace millrace
