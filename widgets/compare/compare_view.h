// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QAction>
#include <QWidget>

#include "core/base/result.h"
#include "widgets/charts/view_export.h"
#include "widgets/compare/compare_set.h"

namespace millrace {

/// Base class of a comparison's plots, which are painted with QPainter: hover, selection by click,
/// export. Derived classes paint, and report which run is at a point. GUI thread.
class CompareView : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kLeastHeight = 160;  ///< a lower plot is not readable

  CompareView(const QString& title, CompareSet& set, QWidget* parent = nullptr);

  const QString& title() const { return m_title; }
  QAction* exportAction() const { return m_export; }
  /// The file's suffix selects png, svg or csv; others are refused.
  Status exportTo(const QString& file);
  /// The content as a table; the same in every locale.
  virtual std::string csv() const = 0;
  /// Why nothing is drawn; empty if something is.
  virtual QString emptyReason() const = 0;

  QSize sizeHint() const override { return {360, 300}; }
  QSize minimumSizeHint() const override { return {180, kLeastHeight}; }

 protected:
  virtual void paintPlot(QPainter& painter) = 0;
  virtual std::optional<RunNumber> runAt(QPointF at) const = 0;
  CompareSet& set() const { return m_set; }
  bool isHovered(RunNumber run) const { return m_set.hovered() == run; }
  /// A click selects a run; with Ctrl it adds the run to the selection or removes it.
  void chooseAt(QPointF at, Qt::KeyboardModifiers modifiers);
  /// A run's name at the end of its line. The legend itself is in the table of runs.
  QString nameOf(RunNumber run) const;

  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void paintAll(QPainter& painter);
  ViewExport description();

  QString m_title;
  CompareSet& m_set;
  QAction* m_export;
};

struct ComparedRun;

/// A plot of the chosen runs, after all of them have been read. GUI thread.
class ChosenRunsView : public CompareView {
  Q_OBJECT
 public:
  /// `nothing`: the text if none of the runs has data to draw.
  ChosenRunsView(const QString& title, const QString& nothing, CompareSet& set, QWidget* parent);

  QString emptyReason() const override;

 protected:
  virtual void forget() = 0;
  virtual void read(const ComparedRun& run) = 0;
  virtual bool hasAnything() const = 0;

 private:
  QString m_nothing;
};

}  // namespace millrace
