// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/problem_words.h"

#include <QRegularExpression>

#include "widgets/common/strings.h"
#include "widgets/models/document.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

/// Empty for a name of something else. `spec`: the kind of the node that has the problem.
QString titleOf(const QString& name, const NodeSpec* spec, const Document& document) {
  if (const GraphNode* node = document.graph().node(fromQt(name)))
    return titleOf(*node, document.specOf(node->id));
  if (const NodeSpec* kind = document.catalog().find(fromQt(name))) return toQt(kind->label);
  const ParamSpec* param = spec == nullptr ? nullptr : spec->param(fromQt(name));
  return param == nullptr ? QString() : toQt(param->label);
}

/// Names are in backticks, or have an underscore and are not a part of a path.
std::string titled(const std::string& text, const NodeSpec* spec, const Document& document) {
  static const QRegularExpression names(
      "`([^`=]*)(=[^`]*)?`|(?<![\\w/.-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\\w/-]|\\.\\w)");
  const QString plain = toQt(text);
  QString words;
  qsizetype at = 0;
  for (auto found = names.globalMatch(plain); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    const QString title = titleOf(match.captured(1) + match.captured(3), spec, document);
    words += plain.mid(at, match.capturedStart() - at);
    words += title.isEmpty() ? match.captured() : title + match.captured(2).replace('=', " = ");
    at = match.capturedEnd();
  }
  return fromQt(words + plain.mid(at));
}

}  // namespace

Problem withTitles(Problem problem, const Document& document) {
  const NodeSpec* spec = document.specOf(problem.node);
  problem.message = titled(problem.message, spec, document);
  problem.remedy = titled(problem.remedy, spec, document);
  return problem;
}

}  // namespace millrace
