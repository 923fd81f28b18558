// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QFrame>
#include <QPointer>
#include <QTimer>

class QLabel;
class QPushButton;

namespace millrace {

/// A short tour of a window: a bubble next to one widget after the other, which stays usable.
/// Enter goes on, Backspace goes back, Esc ends. Steps whose widget is not shown are left out until
/// it is. GUI thread.
class Tour : public QFrame {
  Q_OBJECT
 public:
  struct Step {
    QString title;
    QString text;
    std::function<QWidget*()> anchor;  ///< nullptr: not there now
    /// The part of the widget that the step is about, in its coordinates; empty: all of it.
    std::function<QRect()> part = {};
  };

  Tour(QWidget& window, std::vector<Step> steps);

  /// From the first step; the window must be visible.
  void start();
  void end();
  bool isGoing() const { return m_going; }
  /// The widgets of the window have changed: goes on with the first step whose widget is shown. The
  /// tour also notices it a moment later.
  void refresh();
  QString title() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* anchorOf(std::size_t step) const;
  std::size_t after(std::size_t step) const;
  std::size_t before(std::size_t step) const;
  void showStep(std::size_t step);
  void follow();
  void putAway();
  QRect partOf(const QWidget& anchor) const;
  void place();

  QWidget& m_window;
  const std::vector<Step> m_steps;
  std::size_t m_step = 0;
  bool m_going = false;
  bool m_waiting = false;  ///< for the widget of a later step
  QPointer<QWidget> m_focusBefore;
  QTimer m_watch;  ///< widgets are moved and hidden without a signal
  QWidget* m_ring;
  QLabel* m_title;
  QLabel* m_text;
  QLabel* m_place;
  QPushButton* m_back;
  QPushButton* m_next;
};

}  // namespace millrace
