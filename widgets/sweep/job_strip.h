// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace millrace {

/// The progress of a long job: its name, its current step, a bar, the time left, which counts down
/// between updates, and a stop button. GUI thread.
class JobStrip : public QWidget {
  Q_OBJECT
 public:
  /// `what`: the bar's name for screen readers, "Progress of the sweep".
  explicit JobStrip(const QString& what, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void setWords(const QString& words);
  /// `left`: seconds left in total; nullopt: unknown. `of` 0: the progress is unknown.
  void showProgress(int done, int of, std::optional<double> left);
  /// For jobs whose progress is measured by time alone: the bar follows the time.
  void showBudget(double seconds, std::optional<double> left);
  /// The job is over or has not begun.
  void showIdle();
  /// A stop was requested.
  void showStopping(const QString& words);
  /// Adds a button after the others.
  void addButton(QPushButton* button);

  QString words() const;
  QString leftText() const;

 signals:
  void stopRequested();

 private:
  void showLeft();
  void keepLeft(std::optional<double> left);
  void setGoing(bool going);

  QHBoxLayout* m_row;
  QLabel* m_title;
  QLabel* m_words;
  QLabel* m_left;
  QProgressBar* m_bar;
  QPushButton* m_stop;
  QTimer m_second;
  QElapsedTimer m_since;
  std::optional<double> m_leftThen;
  std::optional<double> m_budget;  ///< seconds that the full bar represents
};

/// A label for plain text; `role` as in the style sheet, or nullptr.
QLabel* plainLabel(const char* role = nullptr);
QPushButton* namedButton(const QString& name, const QString& text, const QString& iconName);

}  // namespace millrace
