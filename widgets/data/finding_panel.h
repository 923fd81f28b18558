// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QPushButton>
#include <QWidget>

#include "core/inspect/report/data_report.h"

class QLabel;
class QTableView;

namespace millrace {

class SampleListModel;
class SamplePictures;

/// A list of samples of a report with what it means, and the actions on it. GUI thread.
class FindingPanel : public QWidget {
  Q_OBJECT
 public:
  /// The box of a small picture.
  static constexpr QSize kPicture{76, 56};

  /// `pictures` must outlive the panel.
  explicit FindingPanel(SamplePictures& pictures, QWidget* parent = nullptr);

  void showNone();
  void showFinding(const std::shared_ptr<const DataReport>& report, std::size_t index);
  void showSlowest(const std::shared_ptr<const DataReport>& report, std::size_t set);
  /// Whether lists can be saved, or why not.
  void setSaveObstacle(const QString& sentence);

  QTableView& table() { return *m_table; }
  SampleListModel& model() { return *m_model; }
  QString titleText() const;
  QString meaningText() const;

 signals:
  /// Asks to save the list that is shown.
  void saveRequested();
  /// The paths of selected samples were copied.
  void copied(int count);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void prepare(const QString& title, const QString& meaning, bool mayBeSaved);
  void copyPaths();
  void refreshButtons();

  QLabel* m_title;
  QLabel* m_meaning;
  QTableView* m_table;
  SampleListModel* m_model;
  QPushButton* m_copy;
  QPushButton* m_save;
  QString m_saveObstacle;
};

}  // namespace millrace
