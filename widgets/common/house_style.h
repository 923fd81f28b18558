// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace millrace {

/// Fusion with our icons in messages and file dialogs and none on dialog buttons, with more room
/// between a button's icon and its text, a button for what does not fit on a tool bar that can be
/// seen, and long tooltips wrapped over several lines. GUI thread.
class HouseStyle : public QProxyStyle {
  Q_OBJECT
 public:
  HouseStyle();

  QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                     const QWidget* widget) const override;
  using QProxyStyle::polish;
  void polish(QWidget* widget) override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option,
                  const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* more) const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

/// The icon size for a button with text next to its icon: our icons are drawn at its left. The
/// style applies it to buttons when they are first shown; a button that changes later must call
/// this.
QSize withRoomForText(const QSize& icon);

}  // namespace millrace
