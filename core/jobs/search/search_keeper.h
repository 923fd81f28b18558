// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/jobs/search/graph_trial.h"
#include "core/measure/data_facts.h"
#include "core/measure/store_recorder.h"
#include "core/store/run_store.h"

namespace millrace {

/// A trial's pipeline, in the form in which the store keeps it.
struct TrialDocument {
  std::string json;
  std::vector<SettingRecord> settings;  ///< all of them, defaults included
};

/// The subject of a search, for the store.
struct SearchSubject {
  std::string pipeline;  ///< file or example as entered
  RunLabels labels;
  Facts facts;
  /// Called once with a sentence if the store fails later.
  std::function<void(const std::string&)> onNotKept = {};
};

/// "sweep of classification": `what` followed by the pipeline's name, and by a number if that name
/// is taken.
Result<std::string> freeExperiment(RunStore& store, const std::string& what,
                                   const std::string& pipeline);

/// Keeps a search in the store while it goes on: its trials in one experiment, a run for each
/// trial, and each repeat once it counts. If the store fails, this is reported once
/// (SearchSubject::onNotKept), and the search continues. One thread.
class SearchKeeper {
 public:
  virtual ~SearchKeeper() = default;

  const std::string& experiment() const { return m_subject.labels.experiment; }
  /// "12"; empty: this trial was not begun.
  std::string runId(std::size_t trial) const;

  void beginTrial(std::size_t trial);
  /// The trial counts, as repeat `repeat`; `figures` cover all of the trial's repeats. `last`: the
  /// trial is complete.
  void keepTrial(std::size_t trial, std::size_t repeat, bool last, const TrialReport& report,
                 const SpanFigures& figures);
  /// The trial will be measured again.
  void dropTrial(std::size_t trial);
  void endTrial(std::size_t trial, const SpanFigures& figures);
  void failTrial(std::size_t trial, const std::string& reason, const SpanFigures& figures);
  /// The search ends here: incomplete runs are marked as interrupted, for this reason.
  void finish(const std::vector<SpanFigures>& figures, const std::string& reason = "stopped");

 protected:
  SearchKeeper(std::filesystem::path file, RunStore store, SearchSubject subject)
      : m_file(std::move(file)), m_store(std::move(store)), m_subject(std::move(subject)) {}

  virtual Result<TrialDocument> documentOf(std::size_t trial) const = 0;

  RunStore& store() { return m_store; }
  std::vector<TrialRecord>& trials() { return m_trials; }
  const std::vector<TrialRecord>& trials() const { return m_trials; }
  /// Appends a trial; `open`: its run has begun and is not finished.
  void add(TrialRecord trial, bool open);
  void setOpen(std::size_t trial, bool open) { m_open[trial] = open; }
  /// Reports the first failure of the store.
  void note(const Status& kept);

 private:
  Status beginRun(std::size_t trial);
  Status finishRun(std::size_t trial, RunState state, const std::string& reason,
                   const SpanFigures& figures);

  const std::filesystem::path m_file;
  RunStore m_store;
  const SearchSubject m_subject;
  std::vector<TrialRecord> m_trials;
  std::vector<bool> m_open;
  bool m_troubled = false;
};

}  // namespace millrace
