// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include <QString>

#include "core/graph/graph.h"
#include "core/spec/catalog.h"

namespace millrace {

/// How a document's settings are called by a person: the words for "workers.count" and, of a node
/// alone, for "workers". Value: it outlives the document, whose nodes may be renamed meanwhile.
class SettingNames {
 public:
  SettingNames() = default;
  SettingNames(const Graph& graph, const Catalog& catalog);

  /// "Workers › Threads"; what the document did not have stays as it is.
  QString of(const std::string& path) const;

 private:
  std::map<std::string, QString> m_words;
};

}  // namespace millrace
