// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/jobs/search/search_keeper.h"
#include "core/jobs/tune/kept_tuning.h"
#include "core/store/search_notes.h"

namespace millrace {

/// Keeps what a tuner tries: a trial is recorded when it first comes up, and a line of the tuning's
/// log (core/tune/tuner/tune_log.h) is added after each measurement.
class TuneKeeper final : public SearchKeeper {
 public:
  /// Error: nothing can be kept, or (`experimentTaken`) the experiment already has a search. The
  /// first trial is the unmodified pipeline.
  static Result<std::unique_ptr<TuneKeeper>> begin(const std::filesystem::path& file,
                                                   SearchSubject subject, TrialDocument unmodified,
                                                   bool& experimentTaken);
  /// Continues the runs of a stopped tuning, each with the repeats that its log counts.
  static Result<std::unique_ptr<TuneKeeper>> goOn(const std::filesystem::path& file,
                                                  SearchSubject subject, const KeptTuning& stopped,
                                                  TrialDocument unmodified);

  struct TrialName {
    std::string now;
    std::string inOlderStores;
  };
  /// Adds the next trial, with the next number. Error: the tuning to be continued had another trial
  /// there.
  Status addTrial(const TrialName& settings, TrialDocument document);
  void addLine(const std::string& line) { note(m_notes.addStep(experiment(), line)); }
  void addPrediction(const PredictionRecord& prediction) {
    note(m_notes.addPrediction(prediction));
  }
  /// Drops the predictions for the unmodified pipeline that were noted before a stop.
  void dropPredictions();
  std::optional<RunNumber> run(std::size_t trial) const { return trials()[trial].run; }
  /// Trials that came up, plus kept ones that have not come up again.
  std::size_t count() const { return trials().size(); }

 private:
  TuneKeeper(const std::filesystem::path& file, RunStore store, SearchNotes notes,
             SearchSubject subject, TrialDocument unmodified)
      : SearchKeeper(file, std::move(store), std::move(subject)), m_notes(std::move(notes)) {
    m_documents.push_back(std::move(unmodified));
  }
  Result<TrialDocument> documentOf(std::size_t trial) const override { return m_documents[trial]; }

  SearchNotes m_notes;
  std::vector<TrialDocument> m_documents;  ///< documents of the trials that came up
};

}  // namespace millrace
