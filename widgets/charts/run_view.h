// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QEvent>
#include <QWidget>

#include "widgets/models/live/live_run.h"

namespace millrace {

/// A view of a run. It receives the run when there is new data and the view is visible. GUI thread.
class RunView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// `range`: the range that the user dragged in a chart; if set, show the figures of that range.
  virtual void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) = 0;
  /// The next refresh is of another run: drop everything shown, frozen or not.
  virtual void forget() {}

 signals:
  /// The view has become visible and has missed updates, or the theme has changed.
  void shownAgain();

 protected:
  void showEvent(QShowEvent* event) override {
    QWidget::showEvent(event);
    emit shownAgain();
  }
  void changeEvent(QEvent* event) override {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && isVisible()) emit shownAgain();
  }
};

}  // namespace millrace
