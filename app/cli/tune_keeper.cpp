// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune_keeper.h"

#include <algorithm>

namespace millrace::cli {

Result<std::unique_ptr<TuneKeeper>> TuneKeeper::begin(const std::filesystem::path& file,
                                                      SearchSubject subject, TrialDocument asItIs,
                                                      bool& experimentTaken) {
  auto store = RunStore::open(file);
  if (!store) return store.error();
  if (subject.labels.experiment.empty()) {
    const Result<std::string> free = freeExperiment(*store, "tuning", subject.pipeline);
    if (!free) return free.error();
    subject.labels.experiment = *free;
  } else {
    const auto searches = store->searches();
    if (!searches) return searches.error();
    experimentTaken =
        std::ranges::count(*searches, subject.labels.experiment, &SearchSummary::experiment) > 0;
  }
  std::unique_ptr<TuneKeeper> keeper(new TuneKeeper(file, store.take(), std::move(subject)));
  TrialRecord first;
  first.settings = "as it is";
  keeper->add(first, false);
  keeper->m_documents.push_back(std::move(asItIs));
  auto notes = SearchNotes::open(file);
  if (!notes) return notes.error();
  keeper->m_notes = notes.take();
  MILLRACE_TRY(keeper->store().beginTrials(keeper->experiment(), keeper->trials()));
  return keeper;
}

void TuneKeeper::addTrial(const std::string& settings, TrialDocument document) {
  TrialRecord trial;
  trial.position = static_cast<std::int64_t>(m_documents.size());
  trial.settings = settings;
  add(trial, false);
  m_documents.push_back(std::move(document));
  say(m_notes->addTrial(experiment(), trial));
}

}  // namespace millrace::cli
