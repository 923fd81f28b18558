// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QAction>
#include <QWidget>

#include "widgets/compare/differences_model.h"

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTableView;

namespace millrace {

class RunDetailsView;

/// The compared runs as a table of their differences, with its exports. GUI thread.
class DifferencesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit DifferencesPanel(CompareSet& set, const QString& engineVersion,
                            QWidget* parent = nullptr);

  DifferencesModel& model() { return *m_model; }
  QTableView& table() { return *m_table; }
  QCheckBox& onlyDifferences() { return *m_only; }
  QAction* pageAction() const { return m_page; }
  /// The content for a file, by its suffix: csv, json, or html for the page with plots.
  Result<std::string> exported(const QString& file) const;
  /// Writes that file outside the GUI thread: `written` reports success, a box any error.
  void save(const QString& file);
  QSize sizeHint() const override { return {380, 300}; }

 signals:
  /// A file was written; the sentence names it.
  void written(const QString& sentence);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildTable();
  void refresh();
  void shareWidth();

  CompareSet& m_set;
  QString m_engineVersion;
  DifferencesModel* m_model;
  QCheckBox* m_only;
  QLabel* m_words;
  QLabel* m_empty;
  QTableView* m_table;
  std::vector<int> m_values;  ///< the width of the widest value of each run
  int m_names = 0;            ///< the width of the widest name of a setting or figure
  RunDetailsView* m_single;   ///< the only chosen run
  QStackedLayout* m_stack;
  QAction* m_page;
  QAction* m_export;
};

}  // namespace millrace
