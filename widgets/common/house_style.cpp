// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/house_style.h"

#include <algorithm>

#include <QCursor>
#include <QEvent>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QScreen>
#include <QTabBar>
#include <QTimer>
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
    {QStyle::SP_ToolBarHorizontalExtensionButton, "chevdown", Tone::Text},
};

/// Longest line of a tooltip, in characters.
constexpr int kTipLetters = 80;

/// Qt wraps plain text only if it is wider than the screen. By then it has already placed the tip,
/// left of the cursor if the whole line would not be visible otherwise.
void wrapTip(QLabel& tip) {
  const int widest = kTipLetters * tip.fontMetrics().averageCharWidth();
  if (tip.wordWrap() || tip.width() <= widest) return;
  tip.setWordWrap(true);
  const QSize wanted = tip.sizeHint() + QSize(1, 0);
  tip.resize(wanted.width(), std::max(wanted.height(), tip.heightForWidth(wanted.width())));
  const QRect screen = tip.screen()->availableGeometry();
  const int beside = std::max(tip.x(), QCursor::pos().x());
  tip.move(std::clamp(beside, screen.left(), std::max(screen.left(), screen.right() - tip.width())),
           std::max(screen.top(), std::min(tip.y(), screen.bottom() - tip.height())));
}

bool isOfDocks(const QTabBar& tabs) {
  return qobject_cast<const QMainWindow*>(tabs.parentWidget()) != nullptr;
}

}  // namespace

QSize withRoomForText(const QSize& icon) {
  constexpr int kRoom = 4;  // Qt's own fixed gap before the text is as wide.
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
  // Qt's own class of tooltips has no public header.
  if (widget->inherits("QTipLabel")) widget->installEventFilter(this);
  // Qt cuts the titles on the tabs of docks, until "Queue fill" and "Queue wait" look the same.
  if (auto* tabs = qobject_cast<QTabBar*>(widget); tabs != nullptr && isOfDocks(*tabs)) {
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
    // Qt keeps a bar whose docks went to another one, and may show it empty over that one.
    tabs->setAutoHide(true);
    tabs->installEventFilter(this);
  }
  // A style sheet bypasses every style when it draws a button's label, but it asks for the icon
  // size.
  auto* button = qobject_cast<QAbstractButton*>(widget);
  const auto* tool = qobject_cast<const QToolButton*>(widget);
  const bool isBeside = tool != nullptr ? tool->toolButtonStyle() == Qt::ToolButtonTextBesideIcon
                                        : qobject_cast<const QPushButton*>(widget) != nullptr;
  if (!isBeside || button->text().isEmpty()) return;
  const QSize size = button->iconSize();
  if (size.width() == size.height()) button->setIconSize(withRoomForText(size));
}

int HouseStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                            const QWidget* widget) const {
  // Fusion's button for what does not fit on a tool bar is too narrow to be found.
  constexpr int kExtension = 28;
  if (metric == PM_ToolBarExtensionExtent) return kExtension;
  return QProxyStyle::pixelMetric(metric, option, widget);
}

int HouseStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* more) const {
  if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
  return QProxyStyle::styleHint(hint, option, widget, more);
}

bool HouseStyle::eventFilter(QObject* watched, QEvent* event) {
  auto* tip = qobject_cast<QLabel*>(watched);
  if (tip != nullptr && (event->type() == QEvent::Show || event->type() == QEvent::Resize))
    wrapTip(*tip);
  auto* tabs = qobject_cast<QTabBar*>(watched);
  // A bar that is shown without tabs stays where it was. Its tabs may come in this same event. It
  // must not hide: the window would lay itself out and show it again, without end. Qt puts the bars
  // that have one tab out of the window too, and places each bar that gets tabs.
  if (tabs != nullptr && event->type() == QEvent::Show && tabs->count() == 0)
    QTimer::singleShot(0, tabs, [tabs] {
      if (tabs->count() == 0) tabs->move(-2 * tabs->width(), -2 * tabs->height());
    });
  return QProxyStyle::eventFilter(watched, event);
}

}  // namespace millrace
