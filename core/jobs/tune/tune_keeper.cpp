// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_keeper.h"

#include <algorithm>

#include <fmt/format.h>

namespace millrace {

Result<std::unique_ptr<TuneKeeper>> TuneKeeper::begin(const std::filesystem::path& file,
                                                      SearchSubject subject,
                                                      TrialDocument unmodified,
                                                      bool& experimentTaken) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  if (subject.labels.experiment.empty()) {
    const Result<std::string> free = freeExperiment(store, "tuning", subject.pipeline);
    if (!free) return free.error();
    subject.labels.experiment = *free;
  } else {
    MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
    experimentTaken =
        std::ranges::count(searches, subject.labels.experiment, &SearchSummary::experiment) > 0;
  }
  MILLRACE_ASSIGN_OR_RETURN(auto notes, SearchNotes::open(file));
  std::unique_ptr<TuneKeeper> keeper(new TuneKeeper(file, std::move(store), std::move(notes),
                                                    std::move(subject), std::move(unmodified)));
  TrialRecord first;
  first.settings = "as it is";  // words: ok, kept in stores
  keeper->add(first, false);
  MILLRACE_TRY(keeper->store().beginTrials(keeper->experiment(), keeper->trials()));
  return keeper;
}

Result<std::unique_ptr<TuneKeeper>> TuneKeeper::goOn(const std::filesystem::path& file,
                                                     SearchSubject subject,
                                                     const KeptTuning& stopped,
                                                     TrialDocument unmodified) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  MILLRACE_ASSIGN_OR_RETURN(auto notes, SearchNotes::open(file));
  std::unique_ptr<TuneKeeper> keeper(new TuneKeeper(file, std::move(store), std::move(notes),
                                                    std::move(subject), std::move(unmodified)));
  for (std::size_t t = 0; t < stopped.search.trials.size(); ++t) {
    const TrialRecord& trial = stopped.search.trials[t];
    const KeptSetting& setting = stopped.settings[t];
    keeper->add(trial, setting.open);
    if (setting.open)
      MILLRACE_TRY(
          keeper->store().resumeRun(*trial.run, static_cast<std::int64_t>(setting.repeats)));
  }
  return keeper;
}

Status TuneKeeper::addTrial(const TrialName& settings, TrialDocument document) {
  const std::size_t number = m_documents.size();
  m_documents.push_back(std::move(document));
  if (number < trials().size()) {
    const std::string& kept = trials()[number].settings;
    if (kept == settings.now || kept == settings.inOlderStores) return {};
    return Error{
        fmt::format("the stopped tuning cannot be continued: its trial {} was {} and would now be "
                    "{}; begin a new one",
                    number, kept, settings.now)};
  }
  TrialRecord trial;
  trial.position = static_cast<std::int64_t>(number);
  trial.settings = settings.now;
  add(trial, false);
  note(m_notes.addTrial(experiment(), trial));
  return {};
}

void TuneKeeper::dropPredictions() {
  if (const auto unmodified = run(0)) note(m_notes.removePredictionsOf(*unmodified));
}

}  // namespace millrace
