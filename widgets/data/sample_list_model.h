// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

#include "core/inspect/report/data_report.h"

namespace millrace {

class SamplePictures;
struct SampleToShow;

/// Samples that a report names: those with a finding, or the slowest to decode. Rows have small
/// pictures. GUI thread.
class SampleListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Sample, Like, Reason, Set, Pixels, Bytes, Time };

  /// `pictures` must outlive the model.
  explicit SampleListModel(SamplePictures& pictures, QObject* parent = nullptr);

  void showNone();
  /// The finding at `index` of the report.
  void showFinding(std::shared_ptr<const DataReport> report, std::size_t index);
  /// The slowest samples of the set at `index`.
  void showSlowest(std::shared_ptr<const DataReport> report, std::size_t index);

  const std::vector<Column>& columns() const { return m_columns; }
  /// Whether the samples of this list have pictures to show.
  bool hasPictures() const;
  /// Of a row's sample, or of the earlier one that it is like.
  SampleToShow placeAt(int row, bool like) const;
  /// The path of a row's sample; its name if it is not a file.
  QString pathAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row;
  Row rowAt(int row) const;
  void show(std::shared_ptr<const DataReport> report, std::vector<Column> columns);

  SamplePictures& m_pictures;
  std::shared_ptr<const DataReport> m_report;
  const ReportedFinding* m_finding = nullptr;  ///< in m_report
  const SetReport* m_slow = nullptr;           ///< in m_report
  std::vector<Column> m_columns;
};

}  // namespace millrace
