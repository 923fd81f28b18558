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

/// A data path of a pipeline, most often one where nothing is.
struct MissingPath {
  NodeId node;
  std::string param;
  std::string path;  ///< as the document has it
  bool operator==(const MissingPath&) const = default;
};

/// The data paths of nodes that run, but those of sample data.
std::vector<MissingPath> dataPaths(const Graph& graph, const Catalog& catalog);

/// Those of them where nothing is. Asks the file system, which may take its time; any thread.
std::vector<MissingPath> missingOf(std::vector<MissingPath> paths,
                                   const std::filesystem::path& base);

/// The pipeline with `place` for a missing path, and with those other missing paths moved alike for
/// which something is there then. `inFile`: paths below `base` are written from there.
Result<Graph> withDataAt(Graph graph, const Catalog& catalog, const std::filesystem::path& base,
                         bool inFile, const MissingPath& missing,
                         const std::filesystem::path& place);

/// Which data of a document is gone: looked for on another thread after each edit, when `look` is
/// called, and now and then, since other programs move it without a word. Oftener while any is
/// missing: it may come back. GUI thread.
class MissingData : public QObject {
  Q_OBJECT
 public:
  explicit MissingData(Document& document);

  const std::vector<MissingPath>& paths() const { return m_paths; }
  void look();

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
  bool m_lookAgain = false;  ///< the answer to it will be out of date
  std::vector<MissingPath> m_paths;
};

}  // namespace millrace
