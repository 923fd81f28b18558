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

/// Where the dock is narrow, without its subject, or elided; the tooltip shows the full title.
class DockTitle final : public QLabel {
 public:
  explicit DockTitle(const QDockWidget& dock) : m_dock(dock) { refresh(); }
  void refresh() { setText(full()); }
  QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const bool fits = fontMetrics().horizontalAdvance(text()) <= width();
    const QString shown =
        fontMetrics().elidedText(fits ? text() : m_dock.windowTitle(), Qt::ElideRight, width());
    setToolTip(shown == text() ? QString() : text());
    style()->drawItemText(&painter, rect(), Qt::AlignVCenter | Qt::AlignLeft, palette(), true,
                          shown, foregroundRole());
  }

 private:
  QString full() const {
    const QString subject = m_dock.property(kSubject).toString();
    return subject.isEmpty() ? m_dock.windowTitle() : m_dock.windowTitle() + " · " + subject;
  }

  const QDockWidget& m_dock;
};

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
  auto* label = new DockTitle(*dock);
  row->addWidget(label, 1);
  label->setObjectName("dockName");
  QObject::connect(dock, &QDockWidget::windowTitleChanged, label, &DockTitle::refresh);
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
  if (auto* label = dynamic_cast<DockTitle*>(dock.titleBarWidget()->findChild<QLabel*>("dockName")))
    label->refresh();
}

}  // namespace millrace
