// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/saved_views.h"

#include <algorithm>

#include <QMenu>

#include "widgets/common/icons.h"
#include "widgets/runs/run_list_query.h"

namespace millrace {

namespace {

constexpr const char* kViewsKey = "runs/views";

/// A name as the text of a menu's entry.
QString menuText(QString name) { return name.replace('&', "&&"); }

}  // namespace

SavedView SavedView::of(const RunListRequest& request, const QString& name) {
  return {name,           request.query, request.columns, request.sortedBy, request.descending,
          request.grouped};
}

void SavedView::applyTo(RunListRequest& request) const {
  request.query = query;
  request.columns = columns;
  request.sortedBy = sortedBy;
  request.descending = descending;
  request.grouped = grouped;
}

bool SavedView::shows(const RunListRequest& request) const {
  return query == request.query && columns == request.columns && sortedBy == request.sortedBy &&
         descending == request.descending && grouped == request.grouped;
}

SavedViews::SavedViews(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
  const int count = m_settings.beginReadArray(kViewsKey);
  for (int i = 0; i < count; ++i) {
    m_settings.setArrayIndex(i);
    const SavedView view = {
        m_settings.value("name").toString(),           m_settings.value("query").toString(),
        m_settings.value("columns").toStringList(),    m_settings.value("sorted_by").toString(),
        m_settings.value("descending", true).toBool(), m_settings.value("grouped").toBool()};
    // Without columns there would be no table; the user may have edited the file.
    if (!view.name.isEmpty() && !view.columns.isEmpty()) m_views << view;
  }
  m_settings.endArray();
}

void SavedViews::save(const SavedView& view) {
  m_views.removeIf([&](const SavedView& each) { return each.name == view.name; });
  m_views << view;
  std::ranges::sort(m_views, [](const SavedView& a, const SavedView& b) {
    return a.name.compare(b.name, Qt::CaseInsensitive) < 0;
  });
  write();
}

void SavedViews::remove(const QString& name) {
  m_views.removeIf([&](const SavedView& each) { return each.name == name; });
  write();
}

void SavedViews::write() {
  m_settings.remove(kViewsKey);
  m_settings.beginWriteArray(kViewsKey, static_cast<int>(m_views.size()));
  for (int i = 0; i < m_views.size(); ++i) {
    m_settings.setArrayIndex(i);
    m_settings.setValue("name", m_views[i].name);
    m_settings.setValue("query", m_views[i].query);
    m_settings.setValue("columns", m_views[i].columns);
    m_settings.setValue("sorted_by", m_views[i].sortedBy);
    m_settings.setValue("descending", m_views[i].descending);
    m_settings.setValue("grouped", m_views[i].grouped);
  }
  m_settings.endArray();
}

void SavedViews::fill(QMenu& menu, const RunListRequest& request) {
  menu.clear();
  for (const SavedView& view : std::as_const(m_views)) {
    QAction* entry = menu.addAction(menuText(view.name), this, [this, view] { emit chosen(view); });
    entry->setCheckable(true);
    entry->setChecked(view.shows(request));
    entry->setToolTip(view.query.isEmpty() ? QString("All runs") : view.query);
  }
  menu.setToolTipsVisible(true);
  menu.addSeparator();
  menu.addAction(icon("save"), "&Save this view…", this, &SavedViews::saveRequested);
  QMenu& removing = *menu.addMenu("&Remove");
  removing.setEnabled(!m_views.isEmpty());
  for (const SavedView& view : std::as_const(m_views))
    removing.addAction(menuText(view.name), this, [this, name = view.name] { remove(name); });
}

}  // namespace millrace
