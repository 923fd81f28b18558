// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "core/analysis/verdict.h"
#include "widgets/compare/compare_set.h"

namespace millrace {

/// The compared runs side by side: verdicts, settings, figures, conditions. By default only rows
/// that differ are shown. One column for each run, the reference first. GUI thread.
class DifferencesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role {
    SectionRole = Qt::UserRole,  ///< bool: the row is a heading
    SentenceRole,                ///< bool: the row is one sentence over all columns
    ChangedRole,                 ///< bool: differs from the reference
    DetailRole,                  ///< a figure's change
    VerdictRole,                 ///< VerdictKind as int; invalid elsewhere
    SeriesRole,                  ///< a header's series
  };

  explicit DifferencesModel(CompareSet& set, QObject* parent = nullptr);

  bool onlyDifferences() const { return m_onlyDifferences; }
  void setOnlyDifferences(bool only);
  /// "4 of 61 settings".
  QString settingsText() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// For other programs: the shown rows as plain text.
  std::string csv() const;
  /// core's comparisonJson, with all settings if all are shown.
  std::string json() const;

 private:
  struct Cell {
    QString text;
    QString detail;
    QString tip;
    bool changed = false;
    std::optional<VerdictKind> verdict;
  };
  struct Row {
    enum class Kind { Section, Sentence, Cells } kind = Kind::Cells;
    QString name;
    QString tip;
    std::vector<Cell> cells;
  };

  void rebuild();
  void addSection(const QString& name);
  void addVerdicts(const Comparison& comparison);
  void addSettings(const Comparison& comparison);
  void addFigures(const Comparison& comparison);
  void addConditions(const Comparison& comparison);
  void addRemarks(const Comparison& comparison);

  CompareSet& m_set;
  std::vector<Row> m_rows;
  bool m_onlyDifferences = true;
};

}  // namespace millrace
