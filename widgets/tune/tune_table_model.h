// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QAbstractTableModel>

namespace millrace {

class LiveTune;

/// The tried settings: the best first, then by gain, then waiting ones, then failed ones with the
/// reason. GUI thread.
class TuneTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Settings, Goal, Rate, OwnRate, Gain, Memory, Cores, Front, State, Run, kColumns };

  /// `tune` must outlive the model.
  explicit TuneTableModel(const LiveTune& tune, QObject* parent = nullptr);

  /// The tuning has changed.
  void refresh();
  std::size_t trialAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
  /// -1: there is no such setting.
  int rowOf(std::size_t trial) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(std::size_t trial, Column column) const;
  QString toolTip(std::size_t trial, Column column) const;
  std::vector<std::size_t> wantedOrder() const;

  const LiveTune& m_tune;
  std::vector<std::size_t> m_order;
};

}  // namespace millrace
