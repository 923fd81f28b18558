// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>

#include "widgets/compare/run_cloud.h"
#include "widgets/runs/run_signal.h"
#include "widgets/runs/store_thread.h"

namespace millrace {

struct Comparison;

/// What is compared: the chosen runs side by side, and all runs of the list as points. The views of
/// a comparison look at it when `changed` or `cloudChanged` says so, and ask for another choice by
/// `choose`, which the table of runs follows: a choice is one in all of them. GUI thread.
class CompareSet : public QObject {
  Q_OBJECT
 public:
  CompareSet(StoreThread& store, const Catalog& catalog, QObject* parent = nullptr);

  const Catalog& catalog() const { return m_catalog; }

  /// Reads them when somebody looks (`setWatched`). The reference is the baseline where it is among
  /// them, else the first.
  void setChosen(const std::vector<RunNumber>& runs, std::optional<RunNumber> baseline);
  /// The runs of the list, for the views that show them all.
  void setListed(const RunQuery& rest, const std::vector<RunNumber>& top);
  /// Whether any view can be seen; nothing is read for views that cannot.
  void setWatched(bool watched);
  /// The store has changed.
  void readAgain();

  /// Whether nothing is being read.
  bool isSettled() const { return m_reading == 0; }
  const std::vector<RunNumber>& chosen() const { return m_chosen; }
  /// nullptr under two runs, and while they are read for the first time.
  const Comparison* comparison() const;
  /// The document of a run of the comparison, in its order.
  const std::string& pipelineOf(std::size_t run) const;
  const RunCloud& cloud() const { return m_cloud; }
  /// Why there is nothing to show, as a sentence; empty: nothing is wrong.
  const QString& problem() const { return m_problem; }
  /// Which data of the chosen runs is gone, as a sentence with the remedy; empty: none, as far as
  /// it is known. They cannot be measured again then.
  const QString& missingData() const { return m_missingData; }
  /// The series in which every view draws this run; -1: it is not chosen.
  int seriesOf(RunNumber run) const;
  bool isBaseline(RunNumber run) const { return m_baseline == run; }

  /// A person chose these in a view.
  void choose(const std::vector<RunNumber>& runs) { emit chooseRequested(runs); }
  void open(RunNumber run) { emit openRequested(run); }
  /// The run under the cursor, in every view.
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
  void requestCloud();
  void lookForData();

  StoreThread& m_store;
  const Catalog& m_catalog;
  std::vector<RunNumber> m_chosen;
  std::optional<RunNumber> m_baseline;
  std::shared_ptr<const Kept> m_kept;
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
