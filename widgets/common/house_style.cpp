// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/house_style.h"

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

HouseStyle::HouseStyle() : QProxyStyle("Fusion") {}

QIcon HouseStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                               const QWidget* widget) const {
  for (const Drawn& drawn : kDrawn)
    if (drawn.which == which) return icon(drawn.icon, drawn.tone);
  return QProxyStyle::standardIcon(which, option, widget);
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const {
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  return QProxyStyle::styleHint(hint, option, widget, more);
}

}  // namespace millrace
