// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>

#include <QAbstractTableModel>
#include <QTimer>

#include "widgets/runs/run_list_query.h"
#include "widgets/runs/store_thread.h"
#include "widgets/runs/verdict_maker.h"

namespace millrace {

/// The runs of a store as a table: the baseline and the pinned runs at the top, then all runs that
/// match the query. Rows and verdicts are read from the store by pages when a view needs them.
/// Until then they are empty; dataChanged announces them. GUI thread.
class RunTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    NumberRole = Qt::UserRole,  ///< qint64; invalid until the row has been read
    KindRole,                   ///< RunColumn::Kind as int
    IsNumberRole,
    IsBaselineRole,
    IsPinnedRole,
    IsLastOnTopRole,  ///< bool: the last row of baseline and pins, or of a group
    MarkRole,         ///< int: the run's series in the charts; -1: not compared
    DetailRole,       ///< the rate's interval, the verdict's sentence
    VerdictRole,      ///< VerdictKind as int; invalid if there is none
    TagsRole,         ///< QStringList
    StateRole,        ///< RunState as int
  };

  RunTableModel(StoreThread& store, const Catalog& catalog, QObject* parent = nullptr);

  const RunListRequest& listRequest() const { return m_request; }
  /// Reads the store; `listed` follows, or `failed`.
  void setRequest(const RunListRequest& request);
  /// Repeats the request, because the store has changed or is another one.
  void reload();
  /// The shown content; its `mistake` belongs to the newest query.
  const RunListing& listing() const { return m_listing; }
  bool isLoading() const { return m_loading; }
  /// Whether everything that views have asked for has been read.
  bool isSettled() const {
    return !m_loading && !m_judging && !m_wants.isActive() && !m_pause.isActive();
  }
  bool hasStore() const { return m_hasStore; }

  /// nullptr until the row has been read.
  const RunSummary* runAt(int row) const;
  /// Searches the rows that have been read; -1 if it is not among them.
  int rowOf(RunNumber number) const;
  int columnOf(RunColumn::Kind kind) const;
  const Verdict* verdictOf(RunNumber number) const;
  /// Sets the compared runs, in the order of their lines. The baseline among them is drawn as the
  /// baseline.
  void setCompared(const std::vector<RunNumber>& runs);
  /// The series of a run in every chart; -1: none.
  int markOf(RunNumber number) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Writes name, notes or tags. Shown at once; reverted with `failed` if the store refuses.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  void sort(int column, Qt::SortOrder order) override;

 signals:
  void listed();
  /// The store or the run does not allow it: a sentence with its remedy.
  void failed(const QString& sentence);

 private:
  using Rows = std::vector<RunSummary>;
  void request();
  void take(StoreAnswer<RunListing> answer);
  void show(RunListing listing);
  bool sameRows(const RunListing& other) const;
  void wantPage(std::int64_t page) const;
  void requestPage(std::int64_t page);
  void wantVerdict(RunNumber number) const;
  void requestVerdicts();
  QVariant textOf(const RunSummary& run, const RunColumn& column, std::size_t cell) const;
  QString changeOf(const RunSummary& run) const;
  QString verdictText(const RunSummary& run) const;
  bool endsGroup(int row) const;
  QString tooFewText(const RunSummary& run, const Verdict& verdict) const;
  QVariant detailOf(const RunSummary& run, const RunColumn& column) const;
  QString toolTipOf(const RunSummary& run, const RunColumn& column, std::size_t cell) const;
  bool isBaseline(const RunSummary& run) const;
  /// Whether its batches went to a training program.
  bool isOfTraining(const RunSummary& run) const;
  bool write(RunSummary& run, const RunColumn& column, std::size_t cell, const QString& text);
  void announce();

  StoreThread& m_store;
  RunListRequest m_request;
  RunListing m_listing;
  std::map<std::int64_t, Rows> m_pages;
  std::vector<RunNumber> m_compared;
  std::shared_ptr<std::atomic<std::uint64_t>> m_newest;
  std::uint64_t m_age = 0;  ///< version of the store, as far as is known
  bool m_loading = false;
  bool m_hasStore = true;

  std::shared_ptr<RunLister> m_lister;
  StoreThread m_judges;  ///< separate, so that verdicts do not delay the list
  std::shared_ptr<VerdictMaker> m_maker;
  JudgedRuns m_verdicts;
  std::optional<RunNumber> m_judgedAgainst;
  bool m_judging = false;
  // Pages that painting found missing.
  mutable std::set<std::int64_t> m_wantedPages;
  mutable std::set<std::int64_t> m_askedPages;
  mutable std::vector<RunNumber> m_wantedVerdicts;
  mutable QTimer m_wants;
  QTimer m_pause;  ///< after the last request of a listing
};

}  // namespace millrace
