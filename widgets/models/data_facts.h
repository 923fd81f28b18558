// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/graph/graph.h"
#include "core/spec/catalog.h"
#include "core/spec/problem.h"

namespace millrace {

/// The result of probing data, as `millrace inspect --json` reports it. Value.
struct DataFacts {
  std::int64_t samples = 0;
  std::int64_t checked = 0;  ///< number of samples that were checked; `broken` counts among these
  double bytes = 0;          ///< size of all files
  bool bytesEstimated = false;
  qsizetype classes = 0;
  std::int64_t broken = 0;
  QString firstBroken;   ///< name of the first broken sample, and why it is
  std::string reader;    ///< the kind of node that read the data
  QStringList warnings;  ///< the reader's warnings

  bool operator==(const DataFacts&) const = default;
};

/// nullopt if the text is not an answer, or if the data cannot be read.
std::optional<DataFacts> dataFactsIn(const QByteArray& json);

/// The facts that hold for data read by a node of this kind. Facts that only another kind derives
/// from the data, such as classes from folders, are left out.
DataFacts readBy(DataFacts facts, const std::string& kind);

/// "24 812 samples · 12 classes · 2.7 GB".
QString shownFacts(const DataFacts& facts);

/// A data path of a node that runs, resolved.
struct DataPlace {
  NodeId node;
  std::string param;
  std::filesystem::path path;  ///< absolute
  std::string kind;            ///< the node's kind
  bool operator==(const DataPlace&) const = default;
};

/// "train · 24 812 samples · 12 classes · 2.7 GB" of the first source; "train and 2 more · ..." of
/// all its paths together, with the most classes that one has. Empty if nothing was found.
QString shownData(const std::vector<std::pair<DataPlace, DataFacts>>& found);

/// The data paths of a pipeline. Generated data that does not exist yet and patterns that name
/// several files are left out. Reads at most one small file in our own cache. Any thread.
std::vector<DataPlace> dataPlaces(const Graph& graph, const Catalog& catalog,
                                  const std::filesystem::path& base);

/// What the user should know of the data before measuring, as warnings at its parameter.
std::vector<Problem> problemsOf(const DataPlace& place, const DataFacts& facts);

}  // namespace millrace
