// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/problem.h"

#include <algorithm>

namespace millrace {

std::string Problem::text() const {
  std::string text = severity == Severity::Error ? "error: " : "warning: ";
  text += node;
  if (!field.empty()) text += (node.empty() ? "" : ".") + field;
  if (!node.empty() || !field.empty()) text += ": ";
  text += message;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

void Problems::error(std::string node, std::string field, std::string message, std::string remedy) {
  add({Severity::Error, std::move(node), std::move(field), std::move(message), std::move(remedy)});
}

void Problems::warning(std::string node, std::string field, std::string message,
                       std::string remedy) {
  add({Severity::Warning, std::move(node), std::move(field), std::move(message),
       std::move(remedy)});
}

bool Problems::anyError() const {
  return std::any_of(m_all.begin(), m_all.end(),
                     [](const Problem& problem) { return problem.severity == Severity::Error; });
}

}  // namespace millrace
