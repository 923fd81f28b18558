// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/kept_tuning.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/jobs/search/stopped_search.h"
#include "core/store/run_store.h"
#include "core/store/search_notes.h"

namespace millrace {

namespace {

/// The tunings of one store.
class KeptTunings {
 public:
  static Result<KeptTunings> open(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
      return Error{"there is no store " + file.string() + " and therefore no kept tuning"};
    MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
    MILLRACE_ASSIGN_OR_RETURN(auto notes, SearchNotes::open(file));
    MILLRACE_ASSIGN_OR_RETURN(auto searches, store.searches());
    return KeptTunings(std::move(store), std::move(notes), std::move(searches));
  }

  /// Newest first; includes sweeps.
  const std::vector<SearchSummary>& searches() const { return m_searches; }

  Result<TuneLog> log(const SearchSummary& search) {
    MILLRACE_ASSIGN_OR_RETURN(const auto lines, m_notes.steps(search.experiment));
    return readTuneLog(lines);
  }

  Result<KeptTuning> read(const SearchSummary& search, TuneLog log) {
    KeptTuning kept;
    kept.search = search;
    kept.log = std::move(log);
    std::vector<std::vector<SpanFigures>> repeats;
    for (const TrialRecord& trial : search.trials) {
      kept.settings.emplace_back();
      repeats.emplace_back();
      if (!trial.run) continue;
      MILLRACE_TRY(readRun(kept, *trial.run, repeats.back()));
    }
    takeTrials(kept, repeats);
    return kept;
  }

  /// The names of the tunings that have a log.
  std::string names() {
    std::vector<std::string> names;
    for (const SearchSummary& search : m_searches)
      if (const auto read = log(search); read && read->request)
        names.push_back("\"" + search.experiment + "\"");
    return join(names, ", ");
  }

 private:
  KeptTunings(RunStore store, SearchNotes notes, std::vector<SearchSummary> searches)
      : m_store(std::move(store)), m_notes(std::move(notes)), m_searches(std::move(searches)) {}

  /// Reads the run of the trial that was added last.
  Status readRun(KeptTuning& kept, RunNumber run, std::vector<SpanFigures>& repeats) {
    MILLRACE_ASSIGN_OR_RETURN(const auto details, m_store.show(run));
    MILLRACE_ASSIGN_OR_RETURN(const auto pipeline, m_store.pipelineJson(run));
    KeptSetting& setting = kept.settings.back();
    setting.document = pipeline;
    setting.open = details.summary.state == RunState::Interrupted;
    if (const Status free = notWrittenNow(details, "tuning"); !free)
      kept.writtenNow = free.error().message;
    repeats = wholeRepeats(details);
    if (kept.settings.size() > 1) {
      // A setting without a valid document was kept with that of the unmodified pipeline.
      if (setting.document == kept.settings.front().document) setting.document.clear();
      return {};
    }
    kept.pipeline = details.summary.pipelineName;
    kept.labels = {details.summary.experiment, details.summary.name, details.summary.tags};
    kept.facts = details.environment;
    return {};
  }

  static void takeTrials(KeptTuning& kept, const std::vector<std::vector<SpanFigures>>& repeats) {
    for (const TuneStep& step : kept.log.steps) {
      if (step.trial >= kept.settings.size()) continue;
      KeptSetting& setting = kept.settings[step.trial];
      KeptTrial trial{setting.document, step, std::nullopt, {}};
      if (const auto& run = kept.search.trials[step.trial].run)
        trial.runId = std::to_string(static_cast<std::int64_t>(*run));
      if (step.state == TuneStep::State::Measured) {
        const std::size_t repeat = setting.repeats++;
        if (repeat < repeats[step.trial].size()) trial.figures = repeats[step.trial][repeat];
      }
      kept.trials.push_back(std::move(trial));
    }
  }

  RunStore m_store;
  SearchNotes m_notes;
  std::vector<SearchSummary> m_searches;
};

/// A stopped tuning can only be continued if all of its repeats are there.
Status allThere(const KeptTuning& kept) {
  for (const KeptTrial& trial : kept.trials)
    if (trial.step.state == TuneStep::State::Measured && !trial.figures)
      return Error{
          fmt::format("the stopped tuning cannot be continued: the store no longer has all repeats "
                      "of its trial {}; begin a new one",
                      trial.step.trial)};
  return {};
}

}  // namespace

Result<KeptTuning> keptTuning(const std::filesystem::path& file, const std::string& experiment) {
  Result<KeptTunings> tunings = KeptTunings::open(file);
  if (!tunings) return tunings.error();
  const auto& searches = tunings->searches();
  const auto search = std::ranges::find(searches, experiment, &SearchSummary::experiment);
  if (search == searches.end()) {
    const std::string names = tunings->names();
    return Error{fmt::format("there is no tuning \"{}\" in {}; {}", experiment, file.string(),
                             names.empty() ? "none can be replayed" : "it has " + names)};
  }
  Result<TuneLog> log = tunings->log(*search);
  if (!log) return log.error();
  return tunings->read(*search, log.take());
}

Result<KeptTuning> stoppedTuning(const std::filesystem::path& file, const std::string& experiment,
                                 const std::string& document) {
  const Error none{fmt::format("there is no stopped tuning{}{} in {}; begin a new one",
                               document.empty() ? "" : " of this pipeline",
                               experiment.empty() ? "" : " in experiment \"" + experiment + "\"",
                               file.string())};
  Result<KeptTunings> tunings = KeptTunings::open(file);
  if (!tunings) return none;
  for (const SearchSummary& search : tunings->searches()) {
    if (!experiment.empty() && search.experiment != experiment) continue;
    Result<TuneLog> log = tunings->log(search);
    if (!log) return log.error();
    if (!log->request || log->ended) continue;
    Result<KeptTuning> kept = tunings->read(search, log.take());
    if (!kept) return kept;
    const std::string& unmodified = kept->settings.front().document;
    if (unmodified.empty()) continue;
    if (!document.empty() && document != unmodified) {
      if (!experiment.empty()) return changedPipeline("tuning");
      continue;
    }
    if (!kept->writtenNow.empty()) return Error{kept->writtenNow};
    MILLRACE_TRY(allThere(*kept));
    return kept;
  }
  return none;
}

}  // namespace millrace
