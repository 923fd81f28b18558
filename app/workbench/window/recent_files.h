// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;
class QSettings;

namespace millrace {

/// The files that were opened or saved last, newest first: kept in the settings, and offered in a
/// menu. GUI thread.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this object.
  RecentFiles(QSettings& settings, QMenu& menu, QObject* parent);

  QStringList all() const;
  void remember(const QString& file);
  void forget(const QString& file);

 signals:
  void chosen(const QString& file);

 private:
  void refill();

  QSettings& m_settings;
  QMenu& m_menu;
};

}  // namespace millrace
