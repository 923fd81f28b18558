// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The bar above the runs: its buttons, and which of them are reduced to icons.
#include <QAction>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "widgets/runs/columns_popup.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/runs_page.h"
#include "widgets/runs/saved_views.h"

namespace millrace {

void RunsPage::buildBar() {
  // The buttons shrink to icons, so that the window may be narrower than their text.
  m_bar->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* row = new QHBoxLayout(m_bar);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(8);
  m_query->setMinimumWidth(120);
  m_query->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  row->addWidget(m_query, 1);
  m_count->setProperty("role", "second");
  row->addWidget(m_count);
  m_baseline->setPopupMode(QToolButton::InstantPopup);
  m_baseline->setMenu(m_baselineMenu);
  row->addWidget(m_baseline);
  row->addWidget(m_columns);
  m_chosenCount->setProperty("role", "second");
  auto* views = new QMenu(m_views);
  m_views->setObjectName("runs_views");
  m_views->setPopupMode(QToolButton::InstantPopup);
  m_views->setMenu(views);
  row->addWidget(m_views);
  auto* inMenu = new QAction("&Views", this);
  inMenu->setMenu(views);
  m_menuActions << inMenu;
  connect(views, &QMenu::aboutToShow, this,
          [this, views] { m_saved->fill(*views, m_model->listRequest()); });
  connect(m_saved, &SavedViews::chosen, this, &RunsPage::showView);
  connect(m_saved, &SavedViews::saveRequested, this, &RunsPage::saveView);
  row->addWidget(m_chosenCount);
  connect(m_baselineMenu, &QMenu::aboutToShow, this, &RunsPage::fillBaselines);
  connect(m_columns, &QToolButton::clicked, this, &RunsPage::openColumns);
  connect(m_columnsPopup, &ColumnsPopup::changed, this, [this](const QStringList& ids) {
    RunListRequest request = m_model->listRequest();
    request.columns = ids;
    m_model->setRequest(request);
    keepRequest();
  });
  for (const char* name : {"group", "open", "restore", "measure"}) addButton(action(name));
}

void RunsPage::addButton(QAction* action) {
  auto* button = new QToolButton;
  button->setProperty("framed", true);
  button->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly
                                                     : Qt::ToolButtonTextBesideIcon);
  button->setDefaultAction(action);
  m_buttons << button;
  m_bar->layout()->addWidget(button);
}

void RunsPage::showView(const SavedView& view) {
  RunListRequest request = m_model->listRequest();
  view.applyTo(request);
  m_query->setText(view.query);
  action("group")->setChecked(request.grouped);
  m_model->setRequest(request);
  keepRequest();
}

void RunsPage::saveView() {
  const RunListRequest& request = m_model->listRequest();
  bool isGiven = false;
  const QString name =
      QInputDialog::getText(this, "Save this view",
                            "A view has the query, the columns, the order and the grouping.\n"
                            "A view of the same name is replaced. Name:",
                            QLineEdit::Normal, request.query, &isGiven)
          .simplified();
  if (!isGiven || name.isEmpty()) return;
  m_saved->save(SavedView::of(request, name));
  say(QString("The view “%1” was saved: choose it in Views.").arg(name));
}

/// The width that the other items of the bar leave to the query.
int RunsPage::roomForQuery() const {
  const QLayout& row = *m_bar->layout();
  int room = width() - row.contentsMargins().left() - row.contentsMargins().right();
  for (int i = 0; i < row.count(); ++i) {
    QWidget* widget = row.itemAt(i)->widget();
    // A button that was just added is shown when control returns to the event loop.
    const bool isShown =
        !widget->isHidden() || m_buttons.contains(qobject_cast<QToolButton*>(widget));
    if (widget != m_query && isShown) room -= widget->sizeHint().width() + row.spacing();
  }
  return room;
}

/// Reduces buttons to icons until the example query in the line is readable, and last leaves out
/// what the status bar and the menu have, too.
void RunsPage::fitBar() {
  // Includes its icon and its clear button.
  const int wanted = 64 + m_query->fontMetrics().horizontalAdvance(m_query->placeholderText());
  const auto style = [](QToolButton* button, bool words) {
    if (button->icon().isNull()) return;
    button->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  };
  for (const int words : {2, 1, 0, -1}) {
    for (QToolButton* button : m_buttons + QList{m_views}) style(button, words > 1);
    for (QToolButton* button : {m_baseline, m_columns}) style(button, words > 0);
    m_chosenCount->setVisible(words > 1);
    for (QWidget* part : {static_cast<QWidget*>(m_count), static_cast<QWidget*>(m_views)})
      part->setVisible(words >= 0);
    if (roomForQuery() >= wanted) return;
  }
}

}  // namespace millrace
