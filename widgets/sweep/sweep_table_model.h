// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QAbstractTableModel>

namespace millrace {

class LiveSweep;

/// The settings of a sweep: fastest first, then those not yet measured, then failed ones with the
/// reason. GUI thread.
class SweepTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// `sweep` must outlive the model.
  explicit SweepTableModel(const LiveSweep& sweep, QObject* parent = nullptr);

  /// The sweep has changed.
  void refresh();
  std::size_t pointAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
  /// -1: there is no such setting.
  int rowOf(std::size_t point) const;
  /// A column's width if its title needs no more.
  int usualWidth(int column) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  enum Column { Rate, Interval, Change, Run, State, kColumns };

  QString text(std::size_t point, Column column) const;
  bool isText(int column) const;
  std::vector<std::size_t> wantedOrder() const;

  const LiveSweep& m_sweep;
  int m_axes = 0;
  std::vector<std::size_t> m_order;
};

}  // namespace millrace
