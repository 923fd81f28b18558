// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QSettings>
#include <QTimer>

#include "widgets/runs/run_signal.h"
#include "widgets/runs/store_thread.h"

namespace millrace {

class BoxView;
class Catalog;
class CompareSet;
class DifferencesPanel;
class GraphDiffView;
class LineView;
class MeasureAgain;
class ParallelView;
class RunsPage;
class ScatterView;

/// The table of runs, with the views of the selected runs as its docks. GUI thread.
class RunsArea : public QMainWindow {
  Q_OBJECT
 public:
  RunsArea(StoreThread& store, const Catalog& catalog, QSettings& settings,
           const QStringList& usualColumns);
  ~RunsArea() override;

  RunsPage& page() { return *m_page; }
  /// Whether everything requested from the store is shown.
  bool isSettled() const;
  CompareSet& set() { return *m_set; }
  DifferencesPanel& differences() { return *m_differences; }
  LineView& lines() { return *m_lines; }
  ScatterView& scatter() { return *m_scatter; }
  BoxView& boxes() { return *m_boxes; }
  ParallelView& parallel() { return *m_parallel; }
  GraphDiffView& graph() { return *m_graph; }
  MeasureAgain& measureAgain() { return *m_measure; }

 signals:
  void openRequested(millrace::RunNumber run);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildDocks();
  void layOut();
  void layOutFirst();
  void leave();
  void putBack();
  void keepTable();
  void connectParts();
  QString layoutKey() const;
  QDockWidget* addDock(const QString& name, const QString& title, QWidget* view);

  QSettings& m_settings;
  StoreThread& m_store;
  StoreThread m_compareStore;  ///< separate, so that comparing does not delay the table
  QTimer m_listedPause;
  bool m_isLaidOut = false;  ///< since it was first shown
  QByteArray m_left;         ///< the layout that it had in front, until it has its size again
  QSize m_leftSize;
  RunsPage* m_page;
  CompareSet* m_set;
  DifferencesPanel* m_differences;
  LineView* m_lines;
  ScatterView* m_scatter;
  BoxView* m_boxes;
  ParallelView* m_parallel;
  GraphDiffView* m_graph;
  MeasureAgain* m_measure;
};

}  // namespace millrace
