// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace millrace {

/// Where a person's own folder is dropped or chosen, and what is known of folders. GUI thread.
class FolderDrop : public QFrame {
  Q_OBJECT
 public:
  explicit FolderDrop(QWidget* parent = nullptr);

  /// What there is to say about the folder that was given last; empty: nothing.
  void say(const QString& sentence, bool isError);
  QString said() const;

 signals:
  void chooseAsked();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QFrame* m_note;
  QLabel* m_noteText;
};

}  // namespace millrace
