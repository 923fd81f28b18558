// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compare_set.h"

#include <algorithm>

#include "core/compare/comparison.h"
#include "core/compare/from_store.h"
#include "core/graph/json/graph_json.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/strings.h"
#include "widgets/models/missing_data.h"
#include "widgets/runs/run_marks.h"

namespace millrace {

namespace {

/// The data that a run has read.
struct RunData {
  RunNumber run;
  std::vector<MissingPath> paths;
};

RunData dataOf(const KeptRun& run, const Catalog& catalog) {
  const ReadGraph read = parseGraph(run.pipelineJson, catalog);
  return {run.details.summary.number,
          read.graph ? dataPaths(*read.graph, catalog) : std::vector<MissingPath>()};
}

/// The missing data of the first run that lacks any, as a sentence; empty if no data is missing.
/// Kept pipelines have absolute paths.
QString missingDataText(const std::vector<RunData>& runs) {
  for (const RunData& each : runs) {
    const std::vector<MissingPath> missing = missingOf(each.paths, "/");
    if (missing.empty()) continue;
    return QString(
               "Run %1 reads %2, which does not exist. Put the data back, or restore the run's "
               "pipeline and locate its data.")
        .arg(static_cast<std::int64_t>(each.run))
        .arg(toQt(missing.front().path));
  }
  return {};
}

}  // namespace

struct CompareSet::Kept {
  Comparison comparison;
  std::vector<std::string> pipelines;
  std::vector<RunData> data;
};

CompareSet::CompareSet(StoreThread& store, const Catalog& catalog, QObject* parent)
    : QObject(parent),
      m_store(store),
      m_catalog(catalog),
      m_newest(std::make_shared<std::atomic<std::uint64_t>>(0)),
      m_newestCloud(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

const Comparison* CompareSet::comparison() const { return m_kept ? &m_kept->comparison : nullptr; }

const std::string& CompareSet::pipelineOf(std::size_t run) const { return m_kept->pipelines[run]; }

void CompareSet::setChosen(const std::vector<RunNumber>& runs, std::optional<RunNumber> baseline) {
  if (runs == m_chosen && baseline == m_baseline) return;
  m_chosen = runs;
  m_baseline = baseline;
  m_due = true;
  if (m_watched) request();
}

void CompareSet::setListed(const RunQuery& rest, const std::vector<RunNumber>& top) {
  m_rest = rest;
  m_top = top;
  m_cloudDue = true;
  if (m_watched) requestCloud();
}

void CompareSet::setWatched(bool watched) {
  m_watched = watched;
  if (!watched) return;
  if (m_due) request();
  if (m_cloudDue) requestCloud();
}

void CompareSet::readAgain() {
  m_due = m_cloudDue = true;
  setWatched(m_watched);
}

void CompareSet::request() {
  m_due = false;
  const std::uint64_t number = ++*m_newest;
  if (m_chosen.size() < 2) {
    m_kept.reset();
    m_missingData.clear();
    m_problem.clear();
    m_single.reset();
    emit changed();
    if (m_chosen.size() == 1) requestSingle();
    return;
  }
  m_single.reset();
  using Shared = std::shared_ptr<const Kept>;
  ++m_reading;
  m_store.ask<Shared>(
      this, {},
      [runs = m_chosen, baseline = m_baseline,
       &catalog = m_catalog](RunStore& store) -> Result<Shared> {
        MILLRACE_ASSIGN_OR_RETURN(auto loaded, loadRuns(store, runs, catalog));
        // A store may have a baseline for each experiment; here only one of them is the reference.
        for (KeptRun& run : loaded)
          run.details.summary.baseline = run.details.summary.number == baseline;
        auto kept = std::make_shared<Kept>();
        kept->comparison = compareRuns(loaded, catalog);
        for (const ComparedRun& compared : kept->comparison.runs)
          for (const KeptRun& run : loaded)
            if (run.details.summary.number == compared.summary.number)
              kept->pipelines.push_back(run.pipelineJson);
        for (const KeptRun& run : loaded) kept->data.push_back(dataOf(run, catalog));
        return Shared(std::move(kept));
      },
      [this, number](StoreAnswer<Shared> answer) {
        --m_reading;
        if (number != *m_newest) return;
        m_problem = answer.error;
        m_kept = answer.value.value_or(nullptr);
        m_missingData.clear();
        emit changed();
        if (m_kept) findMissingData();
      });
}

void CompareSet::requestSingle() {
  const std::uint64_t number = *m_newest;
  using Shared = std::shared_ptr<const Single>;
  ++m_reading;
  m_store.ask<Shared>(
      this, {},
      [run = m_chosen.front(), baseline = m_baseline,
       &catalog = m_catalog](RunStore& store) -> Result<Shared> {
        std::vector<RunNumber> wanted = {run};
        if (baseline && *baseline != run) wanted.push_back(*baseline);
        MILLRACE_ASSIGN_OR_RETURN(auto loaded, loadRuns(store, wanted, catalog));
        std::optional<JudgedAgainst> judged;
        if (loaded.size() > 1)
          judged = JudgedAgainst{*baseline, judgeRuns(loaded[1], loaded[0], catalog)};
        return Shared(std::make_shared<const Single>(Single{std::move(loaded[0]), judged}));
      },
      [this, number](const StoreAnswer<Shared>& answer) {
        --m_reading;
        if (number != *m_newest) return;
        m_problem = answer.error;
        m_single = answer.value.value_or(nullptr);
        emit changed();
      });
}

/// Not on the store's thread: data on a network that does not respond would block the store.
void CompareSet::findMissingData() {
  ++m_reading;
  doFileWork(*this, [this, kept = m_kept] {
    const QString words = missingDataText(kept->data);
    return [this, kept, words] {
      --m_reading;
      if (m_kept != kept || words.isEmpty()) return;
      m_missingData = words;
      emit changed();
    };
  });
}

void CompareSet::requestCloud() {
  m_cloudDue = false;
  const std::uint64_t number = ++*m_newestCloud;
  ++m_reading;
  m_store.ask<RunCloud>(
      this, {},
      [rest = m_rest, top = m_top, &catalog = m_catalog,
       urgency = StoreThread::Urgency{m_newestCloud, number}](RunStore& store) {
        if (urgency.isStale()) return Result<RunCloud>(RunCloud());
        return loadCloud(store, rest, top, catalog);
      },
      [this, number](StoreAnswer<RunCloud> answer) {
        --m_reading;
        if (number != *m_newestCloud) return;
        m_cloud = answer.value ? std::move(*answer.value) : RunCloud();
        emit cloudChanged();
      });
}

int CompareSet::seriesOf(RunNumber run) const { return seriesIn(m_chosen, m_baseline, run); }

void CompareSet::hover(std::optional<RunNumber> run) {
  if (run == m_hovered) return;
  m_hovered = run;
  emit hoverChanged();
}

}  // namespace millrace
