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

/// What a look at data found, as `millrace inspect --json` tells it. Value.
struct DataFacts {
  std::int64_t samples = 0;
  std::int64_t lookedAt = 0;  ///< of them; `broken` is of these
  double bytes = 0;           ///< of all files
  bool bytesEstimated = false;
  qsizetype classes = 0;
  std::int64_t broken = 0;
  QString firstBroken;   ///< its name, and why it cannot be read
  std::string reader;    ///< the kind of node by which it was read
  QStringList warnings;  ///< of that

  bool operator==(const DataFacts&) const = default;
};

/// Nothing where it is no answer, or the data cannot be read.
std::optional<DataFacts> dataFactsIn(const QByteArray& json);

/// What holds for data that a node of this kind reads: what only another kind makes of it, such as
/// classes from folders, is left out.
DataFacts readBy(DataFacts facts, const std::string& kind);

/// "24 812 samples · 12 classes · 2.7 GB".
QString shownFacts(const DataFacts& facts);

/// A data path of a node that runs, and where it leads.
struct DataPlace {
  NodeId node;
  std::string param;
  std::filesystem::path path;  ///< absolute
  std::string kind;            ///< of the node
  bool operator==(const DataPlace&) const = default;
};

/// Where a pipeline's data is; generated data that has not been drawn is left out, and names that
/// stand for several files. Asks for no more than a small file of the own cache. Any thread.
std::vector<DataPlace> dataPlaces(const Graph& graph, const Catalog& catalog,
                                  const std::filesystem::path& base);

/// What a person should know of the data before it is measured, as warnings at its parameter.
std::vector<Problem> problemsOf(const DataPlace& place, const DataFacts& facts);

}  // namespace millrace
