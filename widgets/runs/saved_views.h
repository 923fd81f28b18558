// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QSettings>
#include <QStringList>

class QMenu;

namespace millrace {

struct RunListRequest;

/// A named way to show the table of runs.
struct SavedView {
  QString name;
  QString query;
  QStringList columns;
  QString sortedBy;  ///< as RunListRequest has it
  bool descending = true;
  bool grouped = false;

  static SavedView of(const RunListRequest& request, const QString& name);
  /// Changes only what a view has: baseline and pinned runs stay.
  void applyTo(RunListRequest& request) const;
  bool shows(const RunListRequest& request) const;
};

/// The user's views of the table of runs, kept in the settings, and the menu with which they are
/// chosen, saved and removed. GUI thread.
class SavedViews : public QObject {
  Q_OBJECT
 public:
  /// `settings` must outlive this.
  explicit SavedViews(QSettings& settings, QObject* parent = nullptr);

  /// In the order of their names.
  const QList<SavedView>& all() const { return m_views; }
  /// Replaces a view of the same name.
  void save(const SavedView& view);
  void remove(const QString& name);
  /// Shows `request` as the present one, and offers to save it.
  void fill(QMenu& menu, const RunListRequest& request);

 signals:
  void chosen(const millrace::SavedView& view);
  /// The user wants to save the present view under a name to be asked for.
  void saveRequested();

 private:
  void write();

  QSettings& m_settings;
  QList<SavedView> m_views;
};

}  // namespace millrace
