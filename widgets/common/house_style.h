// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace millrace {

/// Fusion with our icons where Qt has its own: in messages, in file dialogs, none on the buttons of
/// dialogs. GUI thread.
class HouseStyle : public QProxyStyle {
  Q_OBJECT
 public:
  HouseStyle();

  QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                     const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override;
};

}  // namespace millrace
