// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include <QString>

#include "core/graph/graph.h"
#include "core/spec/catalog.h"

namespace millrace {

/// The display names of a document's settings: the text for "workers.count" and, for a node alone,
/// for "workers". Value: it outlives the document, whose nodes may be renamed meanwhile.
class SettingNames {
 public:
  SettingNames() = default;
  SettingNames(const Graph& graph, const Catalog& catalog);

  /// "Workers › Threads"; a path that the document did not have is returned unchanged.
  QString of(const std::string& path) const;

 private:
  std::map<std::string, QString> m_words;
};

}  // namespace millrace
