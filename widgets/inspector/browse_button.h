// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QStringList>
#include <QToolButton>

#include "core/spec/param_spec.h"

namespace millrace {

/// Lets the user choose what a parameter names on the disk: files, a folder, or either from a menu.
/// GUI thread.
class BrowseButton : public QToolButton {
  Q_OBJECT
 public:
  /// `current`: the field's present text, where choosing starts. `take` receives one path, or
  /// several if files are chosen for a list; it is not called if the user cancels.
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
