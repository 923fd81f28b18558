// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

class Document;

/// A data path of a pipeline, usually a missing one.
struct MissingPath {
  NodeId node;
  std::string param;
  std::string path;  ///< as written in the document
  bool operator==(const MissingPath&) const = default;
};

/// The data paths of nodes that run, except generated sample data.
std::vector<MissingPath> dataPaths(const Graph& graph, const Catalog& catalog);

/// The paths that do not exist. Queries the file system, which may take long; any thread.
std::vector<MissingPath> missingOf(std::vector<MissingPath> paths,
                                   const std::filesystem::path& base);

/// The pipeline with `place` in place of a missing path. Other missing paths are moved in the same
/// way if they exist there. `inFile`: paths below `base` are written relative to it.
Result<Graph> withDataAt(Graph graph, const Catalog& catalog, const std::filesystem::path& base,
                         bool inFile, const MissingPath& missing,
                         const std::filesystem::path& place);

/// Tracks the missing data of a document. It is checked on another thread after each edit, when
/// `check` is called, and periodically, because other programs move data without notice. It is
/// checked more often while any is missing. GUI thread.
class MissingData : public QObject {
  Q_OBJECT
 public:
  explicit MissingData(Document& document);

  const std::vector<MissingPath>& paths() const { return m_paths; }
  void check();

 signals:
  void changed();

 private:
  struct Question {
    std::vector<MissingPath> paths;
    std::filesystem::path base;
    bool operator==(const Question&) const = default;
  };
  void take(const std::vector<MissingPath>& missing);
  void set(const std::vector<MissingPath>& missing);

  Document& m_document;
  QTimer m_delay;
  QTimer m_again;
  std::optional<Question> m_asked;
  bool m_checkAgain = false;  ///< the current check's answer will be out of date
  std::vector<MissingPath> m_paths;
};

}  // namespace millrace
