// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/inspect/report_job.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "core/base/clock.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/user_folder.h"
#include "core/cache/data_digest.h"
#include "core/formats/folder/mask_values.h"
#include "core/graph/edit/graph_edit.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/inspect/report/parallel_examination.h"
#include "core/inspect/report/reading_state.h"
#include "core/jobs/inspect/inspect_job.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// The samples that were not examined yet, ascending.
std::vector<SampleRange> restOf(const ExaminedSet& set) {
  std::vector<SampleRange> ranges;
  std::uint32_t index = 0;
  set.records.forEach([&](const SampleRecord& record) {
    const std::uint32_t i = index++;
    if (record.examined != 0) return;
    if (ranges.empty() || ranges.back().end != i) ranges.push_back({i, i});
    ranges.back().end = i + 1;
  });
  return ranges;
}

}  // namespace

fs::path DataReportJob::defaultStates() { return userCacheFolder() / "reports"; }

unsigned DataReportJob::workers() const {
  return m_options.workers > 0 ? m_options.workers
                               : std::max(1U, std::thread::hardware_concurrency());
}

Status DataReportJob::openSet(const DataSet& set) {
  MILLRACE_ASSIGN_OR_RETURN(
      const PipelineProposal proposal,
      proposePipeline(set.content, builtinCatalog(), {}, ListsOfClasses::LeaveOut));
  ExaminedSet opened;
  MILLRACE_ASSIGN_OR_RETURN(opened.source, openSourceOf(proposal.graph, builtinCatalog()));
  opened.name = set.name;
  opened.path = set.path.native();
  opened.kind = nameOf(set.content);
  opened.node = firstSource(proposal.graph, builtinCatalog())->id;
  opened.classes = opened.source->classes();
  opened.records.grow(opened.source->size());
  for (const std::string& warning : opened.source->warnings())
    if (std::ranges::find(m_notes, warning) == m_notes.end()) m_notes.push_back(warning);
  for (const auto& [field, values] : examineMasks(*opened.source, opened.source->fields()))
    if (values.lossy > 0)
      m_notes.push_back(fmt::format("`{}`: {}: save masks as PNG.", visibleName(opened.name),
                                    values.lossyText(fmt::format("files of `{}`", field))));
  m_sets.push_back(std::move(opened));
  return {};
}

Status DataReportJob::openSets() {
  MILLRACE_ASSIGN_OR_RETURN(std::vector<DataSet> sets,
                            findDataSets(m_options.path, thoroughScan(), &m_stop));
  if (m_options.against) {
    MILLRACE_ASSIGN_OR_RETURN(const auto others,
                              findDataSets(*m_options.against, thoroughScan(), &m_stop));
    for (const DataSet& other : others) {
      sets.push_back(other);
      const auto same = std::ranges::count(sets, other.name, &DataSet::name);
      if (same > 1) sets.back().name = other.path.native();
    }
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Status opened = openSet(sets[i]);
    if (!opened && (i == 0 || m_options.against)) return opened.error();
    if (!opened)
      m_notes.push_back(fmt::format("`{}` is left out: {}", visibleName(sets[i].path.native()),
                                    opened.error().message));
  }
  return {};
}

void DataReportJob::examine(ExaminedSet& set, ReportProgress& progress,
                            DataReportObserver& observer) {
  std::optional<ReadingState> state;
  if (!m_options.states.empty()) {
    auto opened = ReadingState::open(ReadingState::fileOf(m_options.states, set.path),
                                     dataDigest(*set.source), set.source->size(), m_options.restart,
                                     [&set](const ExaminedBlock& block) { set.take(block); });
    if (!opened)
      m_notes.push_back(
          "The report cannot be continued if it is stopped: " + opened.error().message + ".");
    else if (!opened->note().empty())
      m_notes.push_back(
          fmt::format("`{}` was examined from the start: {}.", set.name, opened->note()));
    if (opened) state.emplace(opened.take());
  }
  set.resumed = set.examined;
  progress.set = set.name;
  progress.done += set.resumed;
  ParallelExamination examination(set.source, restOf(set), {workers(), m_options.patience});
  while (!examination.isDone()) {
    if (m_stop) examination.stop();
    for (const ExaminedBlock& block : examination.next()) {
      const std::uint32_t before = set.examined;
      set.take(block);
      progress.done += set.examined - before;
      if (!state) continue;
      const Status kept = state->append(block);
      if (kept) continue;
      m_notes.push_back("The report cannot be continued if it is stopped: " + kept.error().message +
                        ".");
      state.reset();
    }
    observer.onProgress(progress);
  }
  if (examination.gaveUp())
    m_notes.push_back(fmt::format(
        "`{}` was given up: {} samples did not end in time, and {} were not examined. Check the "
        "disk or the server, then run the report again.",
        set.name, ParallelExamination::kMostHanging, set.records.size() - set.examined));
}

Result<DataReport> DataReportJob::run(DataReportObserver& observer) {
  const auto begun = steadyClock().now();
  const Status opened = openSets();
  if (!opened && !m_stop) return opened.error();
  observer.onStart();
  ReportProgress progress;
  for (const ExaminedSet& set : m_sets) progress.of += set.records.size();
  for (ExaminedSet& set : m_sets)
    if (!m_stop) examine(set, progress, observer);
  m_found = findSamples(m_sets);
  if (!std::ranges::all_of(m_sets, [](const ExaminedSet& set) { return set.records.isSound(); }))
    return Error{
        "a temporary file of the report cannot be read back; check the disk of the folder for "
        "temporary files, or set TMPDIR to use another"};
  DataReport report = makeDataReport(m_sets, m_found, m_options.names);
  report.path = m_options.path.native();
  report.notes.insert(report.notes.begin(), m_notes.begin(), m_notes.end());
  report.workers = workers();
  report.interrupted = m_stop && (!opened || report.examined() < report.samples());
  report.seconds = toSeconds(steadyClock().now() - begun);
  return report;
}

void DataReportJob::list(Finding finding,
                         const std::function<void(const ReportedSample& sample)>& use) const {
  m_found[finding].forEach([&](const FoundSample& found) { use(reported(m_sets, found)); });
}

void DataReportJob::listClean(const std::function<void(const CleanSample& sample)>& use) const {
  if (m_sets.empty()) return;
  const ExaminedSet& set = m_sets.front();
  std::vector<bool> isOut(set.records.size());
  for (std::size_t f = 0; f < kFindings; ++f) {
    if (!isLeftOut(static_cast<Finding>(f))) continue;
    m_found.of[f].forEach([&](const FoundSample& found) {
      if (found.sample.set == 0) isOut[found.sample.index] = true;
    });
  }
  std::uint32_t index = 0;
  set.records.forEach([&](const SampleRecord& record) {
    const std::uint32_t i = index++;
    if (isOut[i] || record.examined == 0) return;
    const std::vector<std::string> more = set.source->moreFiles(i);
    use({set.source->name(i), set.fileOf(i), more.size() == 1 ? more.front() : std::string(),
         set.classOf(i, record)});
  });
}

}  // namespace millrace
