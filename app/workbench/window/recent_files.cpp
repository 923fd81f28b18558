// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/recent_files.h"

#include <QFileInfo>
#include <QMenu>
#include <QSettings>

namespace millrace {

namespace {

constexpr const char* kKey = "recent";
constexpr int kMost = 10;

}  // namespace

RecentFiles::RecentFiles(QSettings& settings, QMenu& menu, QObject* parent)
    : QObject(parent), m_settings(settings), m_menu(menu) {
  refill();
}

QStringList RecentFiles::all() const { return m_settings.value(kKey).toStringList(); }

void RecentFiles::remember(const QString& file) {
  QStringList files = all();
  files.removeAll(file);
  files.prepend(file);
  while (files.size() > kMost) files.removeLast();
  m_settings.setValue(kKey, files);
  m_settings.setValue("folder", QFileInfo(file).absolutePath());
  refill();
}

void RecentFiles::forget(const QString& file) {
  QStringList files = all();
  if (files.removeAll(file) == 0) return;
  m_settings.setValue(kKey, files);
  refill();
}

void RecentFiles::refill() {
  m_menu.clear();
  for (const QString& file : all())
    m_menu.addAction(file, this, [this, file] { emit chosen(file); });
  m_menu.setEnabled(!m_menu.isEmpty());
}

}  // namespace millrace
