// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QEvent>
#include <QWidget>

#include "widgets/models/live_run.h"

namespace millrace {

/// A view of a run. It is given the run when there is something new and it can be seen. GUI thread.
class RunView : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// `range`: what a person dragged in a chart; its figures are to be shown then.
  virtual void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) = 0;
  /// From now on it is given another run: nothing that it shows is to be kept, frozen or not.
  virtual void forget() {}

 signals:
  /// It is seen again and has missed something, or its colours are others.
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
