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

/// How far a long job is: its name, what it does, a bar, the time that is left, which counts down
/// by itself, and a button that stops it. GUI thread.
class JobStrip : public QWidget {
  Q_OBJECT
 public:
  /// `what`: for a screen reader: "Progress of the sweep".
  explicit JobStrip(const QString& what, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  void setWords(const QString& words);
  /// `left`: seconds of the whole; nothing: not known. `of` 0: how far is not known.
  void showProgress(int done, int of, std::optional<double> left);
  /// Where the time alone says how far it is: the bar goes on with it.
  void showBudget(double seconds, std::optional<double> left);
  /// It is over, or has not begun.
  void showIdle();
  /// A stop was asked for.
  void showStopping(const QString& words);
  /// Behind the others.
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
  std::optional<double> m_budget;  ///< seconds that the bar stands for
};

/// A label for plain text; `role` as the style sheet names it, or nullptr.
QLabel* plainLabel(const char* role = nullptr);
QPushButton* namedButton(const QString& name, const QString& text, const QString& iconName);

}  // namespace millrace
