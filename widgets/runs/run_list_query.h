// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QStringList>

#include "core/compare/from_store.h"
#include "widgets/runs/run_column.h"

namespace millrace {

/// The requested view of a store.
struct RunListRequest {
  QString query;
  QStringList columns;  ///< ids
  QString sortedBy;     ///< a column's id; empty: newest first
  bool descending = true;
  bool grouped = false;               ///< runs of a pipeline stand together
  std::optional<RunNumber> baseline;  ///< chosen by the user; otherwise the store's
  bool noBaseline = false;
  std::vector<RunNumber> pins;
};

/// The first rows of the result, and the query for the other ones.
struct RunListing {
  QueryVocabulary vocabulary;
  std::optional<QueryMistake> mistake;  ///< the query's mistake; then all else is empty
  std::vector<RunColumn> columns;
  std::vector<RunSummary> baselines;  ///< the store's baselines
  std::optional<RunSummary> baseline;
  std::vector<RunSummary> top;  ///< the baseline, then pinned runs, under every sort
  /// All other matching runs. Each row's columns are followed by the run's origin.
  RunQuery rest;
  std::vector<RunSummary> first;  ///< the first kPage rows of `rest`
  std::int64_t count = 0;         ///< number of rows of `rest`
  std::int64_t matching = 0;      ///< `count` plus the matching rows at the top
  std::int64_t all = 0;           ///< number of runs in the store
  std::int64_t unreadable = 0;    ///< runs lost to damage of the file
  QString damage;
};

/// Number of rows requested at once.
inline constexpr std::int64_t kPage = 100;

/// Lists runs; lives on the store's thread. What is the same for every query is cached until the
/// store changes. Not shared.
class RunLister {
 public:
  explicit RunLister(const Catalog& catalog) : m_catalog(catalog) {}
  /// `age`: a new value clears the cache, because the store has changed.
  Result<RunListing> list(RunStore& store, const RunListRequest& request, std::uint64_t age);

 private:
  /// Facts about the store that do not depend on the request.
  struct Whole {
    std::uint64_t age = 0;
    std::int64_t version = 0;
    QueryVocabulary vocabulary;
    std::vector<RunSummary> baselines;
    std::optional<RunSummary> usual;  ///< the baseline if the user chose none
    std::int64_t runs = 0;
    std::optional<QString> variedFor;  ///< the query whose runs differ in these settings
    QStringList varied;
  };
  Status know(RunStore& store, std::uint64_t age);
  Result<Whole> readWhole(RunStore& store) const;

  const Catalog& m_catalog;
  std::optional<Whole> m_whole;
};

/// The number of runs in the store. Runs on the store's thread.
Result<std::int64_t> countRuns(RunStore& store);

/// Rows `page` * kPage and following of `rest`. Runs on the store's thread.
Result<RunList> listPage(RunStore& store, RunQuery rest, std::int64_t page);

}  // namespace millrace
