// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_list_query.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/compare/sittings.h"
#include "core/store/stored_values.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr std::int64_t kMostBaselines = 200;
/// Kept in memory for their sittings, so many pipelines.
constexpr std::size_t kMostPipelines = 8;

SqlPiece fieldSql(const char* name) { return findField(name, {})->value; }

/// `numbers` as SQLite's json_each takes them.
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
  const auto found = store.search(query);
  if (!found) return found.error();
  return found->matching;
}

/// The one that was chosen; else the store's only one, or that of the newest run's experiment.
Status findBaseline(RunStore& store, const RunListWish& wish, RunListing& listing) {
  RunQuery query;
  query.where = fieldSql("baseline");
  query.limit = kMostBaselines;
  auto found = store.list(query);
  if (!found) return found.error();
  listing.baselines = found.take();
  if (wish.noBaseline) return {};
  if (wish.baseline) {
    query.where = amongPiece({*wish.baseline}, true);
    auto chosen = store.list(query);
    if (!chosen) return chosen.error();
    if (!chosen->empty()) listing.baseline = chosen->front();
    if (listing.baseline) return {};
  }
  if (listing.baselines.size() == 1) listing.baseline = listing.baselines.front();
  if (listing.baselines.size() < 2) return {};
  RunQuery newest;
  newest.limit = 1;
  const auto last = store.list(newest);
  if (!last) return last.error();
  for (const RunSummary& baseline : listing.baselines)
    if (!last->empty() && last->front().experiment == baseline.experiment)
      listing.baseline = baseline;
  return {};
}

/// Those above the line, the baseline first, the pins as the rest is sorted.
Status listTop(RunStore& store, const RunListWish& wish, RunListing& listing) {
  std::vector<RunNumber> numbers = wish.pins;
  if (listing.baseline) numbers.push_back(listing.baseline->number);
  if (numbers.empty()) return {};
  const SqlPiece among = amongPiece(numbers, true);
  if (const auto match = countOf(store, both(listing.rest.where, among))) listing.matching = *match;
  RunQuery query = listing.rest;
  query.where = among;
  query.limit = std::numeric_limits<std::int32_t>::max();
  auto top = store.list(query);
  if (!top) return top.error();
  listing.top = top.take();
  std::ranges::stable_partition(listing.top, [&](const RunSummary& run) {
    return listing.baseline && run.number == listing.baseline->number;
  });
  listing.rest.where = both(listing.rest.where, amongPiece(numbers, false));
  return {};
}

void resolveColumns(const RunListWish& wish, const Catalog& catalog, RunListing& listing) {
  for (const QString& id : wish.columns)
    if (auto column = runColumn(id, listing.vocabulary, catalog))
      listing.columns.push_back(*std::move(column));
  for (const RunColumn& column : listing.columns) listing.rest.columns.push_back(column.field);
  if (wish.sortedBy.isEmpty()) return;
  if (const auto column = runColumn(wish.sortedBy, listing.vocabulary, catalog))
    listing.rest.sort = {{column->field, wish.descending}};
}

}  // namespace

Result<RunListing> listRuns(RunStore& store, const RunListWish& wish, const Catalog& catalog) {
  RunListing listing;
  auto vocabulary = vocabularyOf(store, catalog);
  if (!vocabulary) return vocabulary.error();
  listing.vocabulary = vocabulary.take();
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  ParsedQuery parsed = parseQuery(fromQt(wish.query), listing.vocabulary, now);
  if (parsed.mistake) {
    listing.mistake = parsed.mistake;
    return listing;
  }
  listing.rest.where = std::move(parsed.condition);
  resolveColumns(wish, catalog, listing);
  MILLRACE_TRY(findBaseline(store, wish, listing));
  MILLRACE_TRY(listTop(store, wish, listing));
  if (const auto all = countOf(store, {})) listing.all = *all;
  auto first = listPage(store, listing.rest, 0);
  if (!first) return first.error();
  listing.first = std::move(first->runs);
  listing.count = first->matching;
  listing.matching += first->matching;
  listing.unreadable = first->unreadable;
  listing.damage = toQt(first->damage);
  return listing;
}

Result<RunList> listPage(RunStore& store, RunQuery rest, std::int64_t page) {
  rest.limit = kPage;
  rest.offset = page * kPage;
  return store.search(rest);
}

Status VerdictMaker::addSittings(RunStore& store, KeptRun& run) {
  const RunSummary& summary = run.details.summary;
  auto others = m_samePipeline.find(summary.pipelineDigest);
  if (others == m_samePipeline.end()) {
    if (m_samePipeline.size() >= kMostPipelines) m_samePipeline.clear();
    others =
        m_samePipeline.emplace(summary.pipelineDigest, runsOfSamePipeline(store, summary)).first;
  }
  run.sittingRates = sittingRates(run, others->second, m_catalog);
  return {};
}

Result<std::map<std::int64_t, Verdict>> VerdictMaker::judge(RunStore& store, RunNumber baseline,
                                                            const std::vector<RunNumber>& runs,
                                                            std::uint64_t age) {
  if (age != m_age) {
    m_samePipeline.clear();
    m_baseline.reset();
  }
  m_age = age;
  if (!m_baseline || m_baseline->details.summary.number != baseline) {
    auto loaded = loadRun(store, baseline);
    if (!loaded) return loaded.error();
    m_baseline.emplace(loaded.take());
    MILLRACE_TRY(addSittings(store, *m_baseline));
  }
  std::map<std::int64_t, Verdict> verdicts;
  for (const RunNumber number : runs) {
    auto run = loadRun(store, number);
    if (!run) continue;
    MILLRACE_TRY(addSittings(store, *run));
    verdicts[raw(number)] = judgeRuns(*m_baseline, *run, m_catalog);
  }
  return verdicts;
}

}  // namespace millrace
