// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/search_keeper.h"
#include "core/graph/graph.h"
#include "core/store/search_notes.h"

namespace millrace::cli {

/// Keeps what a tuner tries: a trial is written down when it first comes up.
class TuneKeeper final : public SearchKeeper {
 public:
  /// The error: nothing can be kept, or (`experimentTaken`) the experiment has a search already.
  /// The first trial is the pipeline as it is.
  static Result<std::unique_ptr<TuneKeeper>> begin(const std::filesystem::path& file,
                                                   SearchSubject subject, TrialDocument asItIs,
                                                   bool& experimentTaken);

  /// The next trial's number is one more than the last one's.
  void addTrial(const std::string& settings, TrialDocument document);
  void addPrediction(const PredictionRecord& prediction) {
    say(m_notes->addPrediction(prediction));
  }
  std::optional<RunNumber> run(std::size_t trial) const { return trials()[trial].run; }
  std::size_t count() const { return m_documents.size(); }

 private:
  using SearchKeeper::SearchKeeper;
  Result<TrialDocument> documentOf(std::size_t trial) const override { return m_documents[trial]; }

  std::optional<SearchNotes> m_notes;
  std::vector<TrialDocument> m_documents;
};

}  // namespace millrace::cli
