// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace millrace {

/// The seed of the preview: the pipeline's own, or another one to see other draws. GUI thread.
class PreviewSeed : public QWidget {
  Q_OBJECT
 public:
  explicit PreviewSeed(QWidget* parent = nullptr);

  /// nullopt: the pipeline's own.
  std::optional<quint64> chosen() const { return m_chosen; }
  /// Chooses the pipeline's own, without a signal.
  void reset();
  /// The pipeline's own seed.
  void setOwn(quint64 own);
  /// Hides what has no room in a panel of this width.
  void setRoom(int width);

 signals:
  void changed();

 private:
  void choose(std::optional<quint64> seed);
  void refresh();

  std::optional<quint64> m_chosen;
  std::optional<quint64> m_own;  ///< nullopt: no document was shown yet
  int m_room = 0;
  QLabel* m_label;
  QLineEdit* m_line;
  QToolButton* m_dice;
  QToolButton* m_ownButton;
};

}  // namespace millrace
