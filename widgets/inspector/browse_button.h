// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QStringList>
#include <QToolButton>

#include "core/spec/param_spec.h"

namespace millrace {

/// Chooses on the disk what a parameter names: files, a folder, or either by a menu. GUI thread.
class BrowseButton : public QToolButton {
  Q_OBJECT
 public:
  /// `current`: what the field says now, where choosing starts. `take` gets one path, several
  /// where files are chosen for a list; it is not called where nothing was chosen.
  BrowseButton(const ParamSpec& spec, std::function<QString()> current,
               std::function<void(const QStringList&)> take);

 private:
  void chooseFiles();
  void chooseFolder();
  QString start() const;

  std::function<QString()> m_current;
  std::function<void(const QStringList&)> m_take;
  QString m_title;
  bool m_several;  ///< the parameter is a list
};

}  // namespace millrace
