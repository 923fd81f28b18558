// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/spec/problem.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/file_watch.h"
#include "widgets/models/missing_data.h"

namespace millrace {

class PipelinePage;

/// Events outside the program that concern a page's file and data, with the possible actions.
/// Deleted with the page. GUI thread.
class PageNotices : public QObject {
  Q_OBJECT
 public:
  explicit PageNotices(PipelinePage& page);

  QList<Notice> notices();
  /// Call when the user returns to the window: another program may have changed something.
  void checkAgain();
  FileWatch& file() { return m_file; }
  MissingData& data() { return m_data; }
  /// The missing data in one line of rich text with a link to locate it; empty if nothing is
  /// missing.
  QString missingText() const;
  /// The same as a sentence of plain text with the remedy.
  QString missingSentence() const;
  /// The same as problems, one at each parameter.
  std::vector<Problem> missingProblems() const;
  /// Asks for the new place of the first missing path.
  void locateFirst();
  /// Replaces the file dialog: returns the new place, or empty if none was chosen. `start`: a
  /// folder.
  using Choose = std::function<QString(const MissingPath& missing, const QString& start)>;
  void setChoose(Choose choose) { m_choose = std::move(choose); }

 signals:
  void changed();
  /// The user wants the version of the file that another program wrote.
  void reloadRequested();

 private:
  void addFileNotice(QList<Notice>& notices);
  /// "old/lr does not exist"; empty if nothing is missing.
  QString missing() const;
  void locate(const MissingPath& missing);
  void locateAt(const MissingPath& missing, const QString& place);
  /// Stops waiting for the place chosen last.
  void endWaiting();
  QString askPlace(const MissingPath& missing, const QString& start);

  PipelinePage& m_page;
  FileWatch m_file;
  MissingData m_data;
  Choose m_choose;
  int m_located = 0;  ///< counts chosen places; answers to earlier ones are dropped
  QString m_place;    ///< the place being checked; empty: none
  QTimer m_moment;    ///< until a notice says that it is waiting
};

}  // namespace millrace
