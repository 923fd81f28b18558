// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QList>
#include <QPushButton>
#include <QScrollArea>

#include "core/inspect/report/data_report.h"

class QComboBox;
class QGridLayout;
class QLabel;

namespace millrace {

class CountBars;

/// What a report says as a whole, and the figures of one of its sets: facts, mean and deviation,
/// and bars. GUI thread.
class SetOverview : public QScrollArea {
  Q_OBJECT
 public:
  explicit SetOverview(QWidget* parent = nullptr);

  void show(const std::shared_ptr<const DataReport>& report);
  /// Why the pipeline cannot be changed; empty if it can.
  void setTakeObstacle(const QString& sentence);

  QComboBox& sets() { return *m_sets; }
  /// The bars of this title; nullptr if there are none with it.
  CountBars* bars(const QString& title) const;
  QString overallText() const;
  QString factsText() const;

 signals:
  /// Asks to normalise the pipeline with the figures of this set.
  void normaliseRequested(std::size_t set);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build();
  void showSet(int index);
  void refreshTake();
  void arrange();

  std::shared_ptr<const DataReport> m_report;
  QLabel* m_overall;
  QWidget* m_setRow;
  QComboBox* m_sets;
  QLabel* m_facts;
  QWidget* m_channelsRow;
  QLabel* m_channels;
  QPushButton* m_take;
  QGridLayout* m_grid;
  QList<CountBars*> m_bars;
  QList<CountBars*> m_arranged;  ///< those with bars, in the grid
  int m_across = 0;
  QString m_obstacle;
};

}  // namespace millrace
