// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>

#include "widgets/compare/run_cloud.h"
#include "widgets/runs/run_details.h"
#include "widgets/runs/run_signal.h"
#include "widgets/runs/store_thread.h"

namespace millrace {

struct Comparison;

/// The compared runs: the chosen runs side by side, and all runs of the list as points. The views
/// of a comparison read it when `changed` or `cloudChanged` is emitted, and request another
/// selection by `choose`, which the table of runs follows: the selection is the same in all of
/// them. GUI thread.
class CompareSet : public QObject {
  Q_OBJECT
 public:
  CompareSet(StoreThread& store, const Catalog& catalog, QObject* parent = nullptr);

  const Catalog& catalog() const { return m_catalog; }

  /// The runs are read when a view is visible (`setWatched`). The reference is the baseline if it
  /// is among them, otherwise the first run.
  void setChosen(const std::vector<RunNumber>& runs, std::optional<RunNumber> baseline);
  /// The runs of the list, for the views that show all of them.
  void setListed(const RunQuery& rest, const std::vector<RunNumber>& top);
  /// Whether any view is visible; nothing is read for hidden views.
  void setWatched(bool watched);
  /// Call when the store has changed.
  void readAgain();

  /// Whether no read is in progress.
  bool isSettled() const { return m_reading == 0; }
  const std::vector<RunNumber>& chosen() const { return m_chosen; }
  /// nullptr for fewer than two runs, and while they are read for the first time.
  const Comparison* comparison() const;
  /// The only chosen run with its verdict against the baseline; nullptr for another number of runs.
  struct Single {
    KeptRun run;
    std::optional<JudgedAgainst> judged;
  };
  const Single* single() const { return m_single.get(); }
  /// The document of a run, by its index in the comparison.
  const std::string& pipelineOf(std::size_t run) const;
  const RunCloud& cloud() const { return m_cloud; }
  /// Why there is nothing to show, as a sentence; empty if there is no problem.
  const QString& problem() const { return m_problem; }
  /// The missing data of the chosen runs, as a sentence with the remedy; empty if none is known to
  /// be missing. Runs with missing data cannot be measured again.
  const QString& missingData() const { return m_missingData; }
  /// The series in which every view draws this run; -1 if it is not chosen.
  int seriesOf(RunNumber run) const;
  bool isBaseline(RunNumber run) const { return m_baseline == run; }

  /// The user chose these runs in a view.
  void choose(const std::vector<RunNumber>& runs) { emit chooseRequested(runs); }
  void open(RunNumber run) { emit openRequested(run); }
  /// The run under the cursor, shared by all views.
  std::optional<RunNumber> hovered() const { return m_hovered; }
  void hover(std::optional<RunNumber> run);

 signals:
  void changed();
  void cloudChanged();
  void hoverChanged();
  void chooseRequested(const std::vector<millrace::RunNumber>& runs);
  void openRequested(millrace::RunNumber run);

 private:
  struct Kept;
  void request();
  void requestSingle();
  void requestCloud();
  void findMissingData();

  StoreThread& m_store;
  const Catalog& m_catalog;
  std::vector<RunNumber> m_chosen;
  std::optional<RunNumber> m_baseline;
  std::shared_ptr<const Kept> m_kept;
  std::shared_ptr<const Single> m_single;
  RunCloud m_cloud;
  RunQuery m_rest;
  std::vector<RunNumber> m_top;
  QString m_problem;
  QString m_missingData;
  std::optional<RunNumber> m_hovered;
  std::shared_ptr<std::atomic<std::uint64_t>> m_newest;
  std::shared_ptr<std::atomic<std::uint64_t>> m_newestCloud;
  int m_reading = 0;
  bool m_watched = false;
  bool m_due = false;
  bool m_cloudDue = false;
};

}  // namespace millrace
