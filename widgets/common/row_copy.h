// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAbstractItemView;

namespace millrace {

/// Lets the selected rows of a table or tree be copied: with the keys for copying, and with a
/// context menu if the view has none. Child of the view. GUI thread.
class RowCopy : public QObject {
  Q_OBJECT
 public:
  explicit RowCopy(QAbstractItemView& view);

  /// The selected rows in the order shown: shown texts of a row are separated by tabs.
  QString text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void copy() const;

  QAbstractItemView& m_view;
};

}  // namespace millrace
