// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QWidget>

class QLabel;
class QTreeWidget;

namespace millrace {

/// What became of each part of a user's loader, and how the samples of both compare. GUI thread.
class TranslationView : public QWidget {
  Q_OBJECT
 public:
  explicit TranslationView(QWidget* parent = nullptr);

  /// `result`: what `millrace import` printed; empty: nothing.
  void show(const QJsonObject& result);
  QTreeWidget& parts() { return *m_parts; }
  QString verdict() const;

 private:
  QLabel* m_verdict;
  QTreeWidget* m_parts;
};

/// "10 parts exact, 1 yours (Posterise). The samples are equal."
QString translationWords(const QJsonObject& result);

}  // namespace millrace
