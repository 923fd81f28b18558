// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/problems_model.h"

#include <algorithm>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "widgets/bridge/background_check.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/live/window_words.h"
#include "widgets/models/node_display.h"
#include "widgets/models/problem_words.h"

namespace millrace {

ProblemsModel::ProblemsModel(Document& document, BackgroundCheck& check)
    : QAbstractListModel(&document), m_document(document), m_check(check) {
  connect(&check, &BackgroundCheck::finished, this, &ProblemsModel::refresh);
  refresh();
}

namespace {

/// Suggests threads if all pictures are processed on one, although there are several cores.
std::optional<Problem> hintOnWorkers(const Document& document, const CheckResult& check) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (cores < 2 || check.problems.anyError()) return std::nullopt;
  const GraphNode* first = nullptr;
  for (const NodeStream& stream : check.streams) {
    const NodeSpec* spec = document.specOf(stream.id);
    if (spec == nullptr) continue;
    if (spec->role == NodeRole::Workers) return std::nullopt;
    if (first == nullptr && spec->role == NodeRole::Image) first = document.graph().node(stream.id);
  }
  if (first == nullptr) return std::nullopt;
  Problem hint;
  hint.severity = Severity::Warning;
  hint.node = first->id;
  hint.message = "Everything runs on one thread";
  hint.remedy = fmt::format("Workers before this node use up to {} cores", cores);
  return hint;
}

QString wordsOf(const std::string& text) { return windowWords(sentence(text), {}); }

}  // namespace

void ProblemsModel::refresh() {
  std::vector<Problem> now;
  if (!m_document.graph().nodes.empty()) now = m_check.result().problems.all();
  const std::size_t hintsFrom = now.size();
  if (const auto hint = hintOnWorkers(m_document, m_check.result())) now.push_back(*hint);
  const bool same = std::ranges::equal(now, m_problems, [](const Problem& a, const Problem& b) {
    return a.severity == b.severity && a.node == b.node && a.field == b.field &&
           a.message == b.message && a.remedy == b.remedy;
  });
  if (same && hintsFrom == m_hintsFrom) return;
  beginResetModel();
  m_hintsFrom = hintsFrom;
  m_problems = now;
  endResetModel();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

QString ProblemsModel::placeOf(const Problem& problem) const {
  const GraphNode* node = m_document.graph().node(problem.node);
  if (node == nullptr) {
    // Lists of the file's format, which the user does not know.
    const bool isList = problem.field.starts_with("nodes") || problem.field.starts_with("wires");
    return problem.field.empty() || isList ? "Pipeline" : "Pipeline › " + toQt(problem.field);
  }
  const NodeSpec* spec = m_document.specOf(problem.node);
  QString place = titleOf(*node, spec);
  if (problem.field.empty()) return place;
  const ParamSpec* param = spec == nullptr ? nullptr : spec->param(problem.field);
  return place + " › " + toQt(param == nullptr ? problem.field : param->label);
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Problem problem = withTitles(problemAt(index.row()), m_document);
  const bool error = problem.severity == Severity::Error;
  const bool hint = static_cast<std::size_t>(index.row()) >= m_hintsFrom;
  switch (role) {
    case HintRole: return hint;
    case PlaceRole: return placeOf(problem);
    case MessageRole: return wordsOf(problem.message);
    case RemedyRole: return wordsOf(problem.remedy);
    case SeverityRole: return error;
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
      return QString("%1: %2: %3 %4")
          .arg(error  ? "Error"
               : hint ? "Hint"
                      : "Warning",
               placeOf(problem), wordsOf(problem.message), wordsOf(problem.remedy));
    case Qt::DecorationRole:
      if (hint) return icon("info", Tone::Accent);
      return error ? icon("error", Tone::Error) : icon("warning", Tone::Warning);
    default: return {};
  }
}

}  // namespace millrace
