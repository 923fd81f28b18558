// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/dock.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "widgets/common/icons.h"

namespace millrace {

namespace {

constexpr int kTitleHeight = 28;

QToolButton* titleButton(QHBoxLayout& row, const QString& iconName, const QString& what) {
  auto* button = new QToolButton;
  button->setIcon(icon(iconName, Tone::Text2));
  button->setIconSize(QSize(14, 14));
  button->setToolTip(what);
  button->setAccessibleName(what);
  button->setFocusPolicy(Qt::NoFocus);
  row.addWidget(button);
  return button;
}

}  // namespace

QDockWidget* makeDock(const QString& name, const QString& title, QWidget* content) {
  auto* dock = new QDockWidget(title);
  dock->setObjectName(name);
  dock->setWidget(content);
  auto* bar = new QWidget(dock);
  bar->setObjectName("dockTitle");
  bar->setAttribute(Qt::WA_StyledBackground);
  bar->setFixedHeight(kTitleHeight);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 0, 4, 0);
  row->setSpacing(0);
  auto* label = new QLabel(title);
  label->setMinimumWidth(40);  // A narrow dock cuts its title rather than widen the window.
  row->addWidget(label, 1);
  QObject::connect(dock, &QDockWidget::windowTitleChanged, label, &QLabel::setText);
  for (QAction* action : content->actions()) {
    auto* button = titleButton(*row, {}, action->toolTip());
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::TabFocus);
  }
  auto* floating = titleButton(*row, "float", "Float or dock " + title);
  auto* close = titleButton(*row, "close", "Close " + title);
  QObject::connect(floating, &QToolButton::clicked, dock,
                   [dock] { dock->setFloating(!dock->isFloating()); });
  QObject::connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
  dock->setTitleBarWidget(bar);
  return dock;
}

}  // namespace millrace
