// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

class Document;

/// A data path of a pipeline where nothing is.
struct MissingPath {
  NodeId node;
  std::string param;
  std::string path;  ///< as the document has it
  bool operator==(const MissingPath&) const = default;
};

/// The data paths of nodes that run where nothing is. Asks the file system; any thread.
std::vector<MissingPath> missingPaths(const Graph& graph, const Catalog& catalog,
                                      const std::filesystem::path& base);

/// The pipeline with `place` for a missing path, and with those other missing paths moved alike for
/// which something is there then. `inFile`: paths below `base` are written from there.
Result<Graph> withDataAt(Graph graph, const Catalog& catalog, const std::filesystem::path& base,
                         bool inFile, const MissingPath& missing,
                         const std::filesystem::path& place);

/// Which data of a document is gone: looked for on a thread of the pool after each edit, when
/// `look` is called, and from time to time while any is missing: it may come back. GUI thread.
class MissingData : public QObject {
  Q_OBJECT
 public:
  explicit MissingData(Document& document);

  const std::vector<MissingPath>& paths() const { return m_paths; }
  void look();

 signals:
  void changed();

 private:
  Document& m_document;
  QTimer m_delay;
  QTimer m_again;  ///< while data is missing
  int m_order = 0;
  std::vector<MissingPath> m_paths;
};

}  // namespace millrace
