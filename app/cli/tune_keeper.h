// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/kept_tuning.h"
#include "app/cli/search_keeper.h"
#include "core/graph/graph.h"
#include "core/store/search_notes.h"

namespace millrace::cli {

/// Keeps what a tuner tries: a trial is written down when it first comes up, and a line of the
/// tuning's log (core/tune/tune_log.h) behind each that was measured.
class TuneKeeper final : public SearchKeeper {
 public:
  /// The error: nothing can be kept, or (`experimentTaken`) the experiment has a search already.
  /// The first trial is the pipeline as it is.
  static Result<std::unique_ptr<TuneKeeper>> begin(const std::filesystem::path& file,
                                                   SearchSubject subject, TrialDocument asItIs,
                                                   bool& experimentTaken);
  /// Takes the runs of a stopped tuning up again, each with the repeats that its log counts.
  static Result<std::unique_ptr<TuneKeeper>> goOn(const std::filesystem::path& file,
                                                  SearchSubject subject, const KeptTuning& stopped,
                                                  TrialDocument asItIs);

  /// The next trial's number is one more than the last one's. The error: the tuning that goes on
  /// had another one there.
  Status addTrial(const std::string& settings, TrialDocument document);
  void addLine(const std::string& line) { say(m_notes.addStep(experiment(), line)); }
  void addPrediction(const PredictionRecord& prediction) { say(m_notes.addPrediction(prediction)); }
  /// Those of the pipeline as it is, noted before a stop.
  void dropPredictions();
  std::optional<RunNumber> run(std::size_t trial) const { return trials()[trial].run; }
  /// Trials that came up, and those kept ones that have not come up again.
  std::size_t count() const { return trials().size(); }

 private:
  TuneKeeper(const std::filesystem::path& file, RunStore store, SearchNotes notes,
             SearchSubject subject, TrialDocument asItIs)
      : SearchKeeper(file, std::move(store), std::move(subject)), m_notes(std::move(notes)) {
    m_documents.push_back(std::move(asItIs));
  }
  Result<TrialDocument> documentOf(std::size_t trial) const override { return m_documents[trial]; }

  SearchNotes m_notes;
  std::vector<TrialDocument> m_documents;  ///< of those that came up
};

}  // namespace millrace::cli
