// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace millrace {

/// The area for dropping or choosing the user's folder, with a list of the known layouts. GUI
/// thread.
class FolderDrop : public QFrame {
  Q_OBJECT
 public:
  explicit FolderDrop(QWidget* parent = nullptr);

  /// Shows a sentence about the last folder given; an empty sentence hides it.
  void say(const QString& sentence, bool isError);
  QString said() const;

 signals:
  void chooseRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QFrame* m_note;
  QLabel* m_noteText;
};

}  // namespace millrace
