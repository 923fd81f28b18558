// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_list_query.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/store/run_origin.h"
#include "core/store/stored_values.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr std::int64_t kMostBaselines = 200;

SqlPiece fieldSql(const char* name) { return findField(name, {})->value; }

/// Passes `numbers` as a JSON array for SQLite's json_each.
SqlPiece amongPiece(const std::vector<RunNumber>& numbers, bool among) {
  std::vector<std::int64_t> raws;
  for (const RunNumber number : numbers) raws.push_back(raw(number));
  return fieldSql("number") + SqlPiece{among ? "IN (SELECT value FROM json_each(?))"
                                             : "NOT IN (SELECT value FROM json_each(?))",
                                       {fmt::format("[{}]", fmt::join(raws, ","))}};
}

SqlPiece both(const SqlPiece& a, const SqlPiece& b) {
  if (a.sql.empty()) return b;
  return SqlPiece{"(", {}} + a + ") AND (" + b + ")";
}

Result<std::int64_t> countOf(RunStore& store, const SqlPiece& where) {
  RunQuery query;
  query.where = where;
  query.limit = 0;
  MILLRACE_ASSIGN_OR_RETURN(const auto found, store.search(query));
  return found.matching;
}

/// The store's only baseline, or that of the newest run's experiment.
Result<std::optional<RunSummary>> usualBaseline(RunStore& store,
                                                const std::vector<RunSummary>& baselines) {
  std::optional<RunSummary> usual;
  if (baselines.size() == 1) usual = baselines.front();
  if (baselines.size() < 2) return usual;
  RunQuery newest;
  newest.limit = 1;
  MILLRACE_ASSIGN_OR_RETURN(const auto last, store.list(newest));
  for (const RunSummary& baseline : baselines)
    if (!last.empty() && last.front().experiment == baseline.experiment) usual = baseline;
  return usual;
}

/// One run, provided that a query may find it; otherwise nullopt.
Result<std::optional<RunSummary>> listedRun(RunStore& store, RunNumber number) {
  RunQuery query;
  query.where = amongPiece({number}, true);
  MILLRACE_ASSIGN_OR_RETURN(auto found, store.list(query));
  return found.empty() ? std::optional<RunSummary>() : std::optional(std::move(found.front()));
}

/// The rows at the top: the baseline first, then the pinned runs, sorted like the rest.
Status listTop(RunStore& store, const RunListRequest& request, RunListing& listing) {
  std::vector<RunNumber> numbers = request.pins;
  if (listing.baseline) numbers.push_back(listing.baseline->number);
  if (numbers.empty()) return {};
  const SqlPiece among = amongPiece(numbers, true);
  if (const auto match = countOf(store, both(listing.rest.where, among))) listing.matching = *match;
  RunQuery query = listing.rest;
  query.where = among;
  query.limit = std::numeric_limits<std::int32_t>::max();
  MILLRACE_ASSIGN_OR_RETURN(auto top, store.list(query));
  listing.top = std::move(top);
  const auto isBaseline = [&](const RunSummary& run) {
    return listing.baseline && run.number == listing.baseline->number;
  };
  std::stable_partition(listing.top.begin(), listing.top.end(), isBaseline);
  listing.rest.where = both(listing.rest.where, amongPiece(numbers, false));
  return {};
}

/// The settings that differ among the first matching runs: those that more of the runs have come
/// first, and numbers and flags before text. Of a store that cannot tell them there are none.
QStringList variedSettings(RunStore& store, const RunQuery& matching) {
  constexpr std::int64_t kLookedAt = 40;
  const auto known = store.vocabulary();
  if (!known.ok()) return {};
  RunQuery query;
  query.where = matching.where;
  query.limit = kLookedAt;
  for (const KnownSetting& setting : *known)
    if (const auto field = findField(setting.name, *known)) query.columns.push_back(*field);
  const auto runs = store.list(query);
  if (!runs.ok()) return {};
  struct Varied {
    bool isText = false;
    std::size_t missing = 0;
    QString name;
  };
  std::vector<Varied> varied;
  for (std::size_t c = 0; c < query.columns.size(); ++c) {
    std::set<SqlValue> values;
    for (const RunSummary& run : *runs) values.insert(run.cells[c]);
    const bool isMissing = values.erase(SqlValue()) > 0;
    if (values.size() < 2) continue;
    const auto missing = std::ranges::count_if(
        *runs, [c](const RunSummary& run) { return run.cells[c] == SqlValue(); });
    varied.push_back({query.columns[c].setting.text,
                      isMissing ? static_cast<std::size_t>(missing) : 0,
                      toQt(query.columns[c].setting.name)});
  }
  std::ranges::sort(
      varied, {}, [](const Varied& one) { return std::tuple(one.isText, one.missing, one.name); });
  QStringList names;
  for (const Varied& setting : varied)
    if (names.size() < kMostVariedColumns) names << setting.name;
  return names;
}

/// The ids with the settings that differ in their place.
QStringList columnIds(const QStringList& asked, const QStringList& varied) {
  QStringList ids = asked;
  const qsizetype at = ids.indexOf(kVariedSettings);
  if (at < 0) return ids;
  ids.removeAt(at);
  qsizetype next = at;
  for (const QString& name : varied)
    if (!ids.contains(name)) ids.insert(next++, name);
  return ids;
}

void resolveColumns(const RunListRequest& request, const QStringList& varied,
                    const Catalog& catalog, RunListing& listing) {
  for (const QString& id : columnIds(request.columns, varied))
    if (auto column = runColumn(id, listing.vocabulary, catalog))
      listing.columns.push_back(*std::move(column));
  for (const RunColumn& column : listing.columns) listing.rest.columns.push_back(column.field);
  listing.rest.columns.push_back(*findField(fmt::format("environment.{}", kOriginFact), {}));
  if (request.grouped) listing.rest.sort.push_back({*findField("pipeline", {}), false});
  if (request.sortedBy.isEmpty()) return;
  if (const auto column = runColumn(request.sortedBy, listing.vocabulary, catalog))
    listing.rest.sort.push_back({column->field, request.descending});
}

}  // namespace

Result<std::int64_t> countRuns(RunStore& store) { return countOf(store, {}); }

Result<RunLister::Whole> RunLister::readWhole(RunStore& store) const {
  Whole whole;
  MILLRACE_ASSIGN_OR_RETURN(whole.vocabulary, vocabularyOf(store, m_catalog));
  RunQuery query;
  query.where = fieldSql("number") + "IN (SELECT baseline_run FROM experiments)";
  query.limit = kMostBaselines;
  MILLRACE_ASSIGN_OR_RETURN(auto baselines, store.list(query));
  whole.baselines = std::move(baselines);
  MILLRACE_ASSIGN_OR_RETURN(whole.usual, usualBaseline(store, whole.baselines));
  if (const auto all = countRuns(store)) whole.runs = *all;
  return whole;
}

Status RunLister::know(RunStore& store, std::uint64_t age) {
  MILLRACE_ASSIGN_OR_RETURN(const auto version, store.version());
  if (m_whole && m_whole->age == age && m_whole->version == version) return {};
  m_whole.reset();
  MILLRACE_ASSIGN_OR_RETURN(m_whole, readWhole(store));
  m_whole->age = age;
  m_whole->version = version;
  return {};
}

Result<RunListing> RunLister::list(RunStore& store, const RunListRequest& request,
                                   std::uint64_t age) {
  MILLRACE_TRY(know(store, age));
  RunListing listing;
  listing.vocabulary = m_whole->vocabulary;
  listing.baselines = m_whole->baselines;
  listing.all = m_whole->runs;
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  ParsedQuery parsed = parseQuery(fromQt(request.query), listing.vocabulary, now);
  if (parsed.mistake) {
    listing.mistake = parsed.mistake;
    return listing;
  }
  listing.rest.where = std::move(parsed.condition);
  if (request.columns.contains(kVariedSettings) && m_whole->variedFor != request.query) {
    m_whole->variedFor = request.query;
    m_whole->varied = variedSettings(store, listing.rest);
  }
  resolveColumns(request, m_whole->varied, m_catalog, listing);
  if (request.baseline && !request.noBaseline) {
    MILLRACE_ASSIGN_OR_RETURN(listing.baseline, listedRun(store, *request.baseline));
  }
  if (!listing.baseline && !request.noBaseline) listing.baseline = m_whole->usual;
  MILLRACE_TRY(listTop(store, request, listing));
  MILLRACE_ASSIGN_OR_RETURN(auto first, listPage(store, listing.rest, 0));
  listing.first = std::move(first.runs);
  listing.count = first.matching;
  listing.matching += first.matching;
  listing.unreadable = first.unreadable;
  listing.damage = toQt(first.damage);
  return listing;
}

Result<RunList> listPage(RunStore& store, RunQuery rest, std::int64_t page) {
  rest.limit = kPage;
  rest.offset = page * kPage;
  return store.search(rest);
}

}  // namespace millrace
