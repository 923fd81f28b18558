// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QStringList>

#include "core/compare/from_store.h"
#include "widgets/runs/run_column.h"

namespace millrace {

/// What a person wants to see of a store.
struct RunListWish {
  QString query;
  QStringList columns;  ///< ids
  QString sortedBy;     ///< a column's id; empty: the newest first
  bool descending = true;
  std::optional<RunNumber> baseline;  ///< chosen by hand; else the store's
  bool noBaseline = false;
  std::vector<RunNumber> pins;
};

/// The first rows of it, and what the other rows are asked for with.
struct RunListing {
  QueryVocabulary vocabulary;
  std::optional<QueryMistake> mistake;  ///< of the query: then there is nothing else
  std::vector<RunColumn> columns;
  std::vector<RunSummary> baselines;  ///< the store's
  std::optional<RunSummary> baseline;
  std::vector<RunSummary> top;  ///< the baseline, then the pins, under every sort
  /// Everything else that matches; behind the columns of all rows stands the run's origin.
  RunQuery rest;
  std::vector<RunSummary> first;  ///< its first kPage
  std::int64_t count = 0;         ///< rows of `rest`
  std::int64_t matching = 0;      ///< with those on top that match, too
  std::int64_t all = 0;           ///< runs of the store
  std::int64_t unreadable = 0;    ///< runs that a damaged file does not give
  QString damage;
};

/// Rows that are asked for at once.
inline constexpr std::int64_t kPage = 100;

/// Lists runs on the store's thread, where one of these lives. What is the same for every query
/// stays until the store changes. Not shared.
class RunLister {
 public:
  explicit RunLister(const Catalog& catalog) : m_catalog(catalog) {}
  /// `age`: what was read for another one is forgotten, because it may be another store.
  Result<RunListing> list(RunStore& store, const RunListWish& wish, std::uint64_t age);

 private:
  /// Of the store, whatever is asked.
  struct Whole {
    std::uint64_t age = 0;
    std::int64_t version = 0;
    QueryVocabulary vocabulary;
    std::vector<RunSummary> baselines;
    std::optional<RunSummary> usual;  ///< the baseline where none was chosen
    std::int64_t runs = 0;
  };
  Status know(RunStore& store, std::uint64_t age);
  Result<Whole> look(RunStore& store) const;

  const Catalog& m_catalog;
  std::optional<Whole> m_whole;
};

/// Every run of the store. On the store's thread.
Result<std::int64_t> countRuns(RunStore& store);

/// Rows `page` * kPage and following of `rest`. On the store's thread.
Result<RunList> listPage(RunStore& store, RunQuery rest, std::int64_t page);

}  // namespace millrace
