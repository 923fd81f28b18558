// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/house_style.h"

#include <QPushButton>
#include <QToolButton>

#include "widgets/common/icons.h"

namespace millrace {

namespace {

struct Drawn {
  QStyle::StandardPixmap which;
  const char* icon;
  Tone tone;
};
constexpr Drawn kDrawn[] = {
    {QStyle::SP_MessageBoxWarning, "warning", Tone::Warning},
    {QStyle::SP_MessageBoxCritical, "error", Tone::Error},
    {QStyle::SP_MessageBoxQuestion, "help", Tone::Accent},
    {QStyle::SP_MessageBoxInformation, "info", Tone::Accent},
    {QStyle::SP_FileDialogBack, "chevleft", Tone::Text},
    {QStyle::SP_ArrowBack, "chevleft", Tone::Text},
    {QStyle::SP_ArrowForward, "chevright", Tone::Text},
    {QStyle::SP_FileDialogToParent, "up", Tone::Text},
    {QStyle::SP_FileDialogNewFolder, "plus", Tone::Text},
    {QStyle::SP_FileDialogListView, "columns", Tone::Text},
    {QStyle::SP_FileDialogDetailedView, "runs", Tone::Text},
};

}  // namespace

QSize withRoomForText(const QSize& icon) {
  constexpr int kRoom = 4;  // Qt has as much in front of a text, for good.
  return {icon.width() + kRoom, icon.height()};
}

HouseStyle::HouseStyle() : QProxyStyle("Fusion") {}

QIcon HouseStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                               const QWidget* widget) const {
  for (const Drawn& drawn : kDrawn)
    if (drawn.which == which) return icon(drawn.icon, drawn.tone);
  return QProxyStyle::standardIcon(which, option, widget);
}

void HouseStyle::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  // A style sheet draws the labels of buttons past every style, but asks for the size of the icon.
  auto* button = qobject_cast<QAbstractButton*>(widget);
  const auto* tool = qobject_cast<const QToolButton*>(widget);
  const bool isBeside = tool != nullptr ? tool->toolButtonStyle() == Qt::ToolButtonTextBesideIcon
                                        : qobject_cast<const QPushButton*>(widget) != nullptr;
  if (!isBeside || button->text().isEmpty()) return;
  const QSize size = button->iconSize();
  if (size.width() == size.height()) button->setIconSize(withRoomForText(size));
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const {
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  return QProxyStyle::styleHint(hint, option, widget, more);
}

}  // namespace millrace
