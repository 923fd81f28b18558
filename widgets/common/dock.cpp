// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/dock.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QToolButton>

#include "widgets/common/icons.h"

namespace millrace {

namespace {

constexpr int kTitleHeight = 28;
constexpr const char* kSubject = "subject";

/// Elided where the dock is narrow; the tooltip shows the full title.
class DockTitle final : public QLabel {
 public:
  explicit DockTitle(const QString& title) : QLabel(title) {}
  QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, width());
    setToolTip(shown == text() ? QString() : text());
    style()->drawItemText(&painter, rect(), Qt::AlignVCenter | Qt::AlignLeft, palette(), true,
                          shown, foregroundRole());
  }
};

QString shownTitle(const QDockWidget& dock) {
  const QString subject = dock.property(kSubject).toString();
  return subject.isEmpty() ? dock.windowTitle() : dock.windowTitle() + " · " + subject;
}

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
  auto* label = new DockTitle(title);
  row->addWidget(label, 1);
  label->setObjectName("dockName");
  QObject::connect(dock, &QDockWidget::windowTitleChanged, label,
                   [dock, label] { label->setText(shownTitle(*dock)); });
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

void setDockSubject(QDockWidget& dock, const QString& subject) {
  dock.setProperty(kSubject, subject);
  if (auto* label = dock.titleBarWidget()->findChild<QLabel*>("dockName"))
    label->setText(shownTitle(dock));
}

}  // namespace millrace
