// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace millrace {

/// Fusion with our icons where Qt has its own: in messages, in file dialogs, none on the buttons of
/// dialogs; with room between a button's icon and its text, and long tooltips on several lines,
/// whoever shows them. GUI thread.
class HouseStyle : public QProxyStyle {
  Q_OBJECT
 public:
  HouseStyle();

  QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                     const QWidget* widget) const override;
  using QProxyStyle::polish;
  void polish(QWidget* widget) override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

/// The icon size of a button whose text stands beside it: our icons keep to the left of it. Buttons
/// that are shown so have it by the style; one that changes has to ask.
QSize withRoomForText(const QSize& icon);

}  // namespace millrace
