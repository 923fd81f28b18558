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

/// What happened outside to a page's file and data, with what can be done about it. Goes with the
/// page. GUI thread.
class PageNotices : public QObject {
  Q_OBJECT
 public:
  explicit PageNotices(PipelinePage& page);

  QList<Notice> notices();
  /// The person comes back to the window: another program may have been at work.
  void lookAgain();
  FileWatch& file() { return m_file; }
  MissingData& data() { return m_data; }
  /// What is missing, in one line of rich text with a link to locate it; empty: nothing is.
  QString missingWords() const;
  /// The same as a sentence of plain text with the remedy.
  QString missingSentence() const;
  /// The same as a problem at each of the parameters.
  std::vector<Problem> missingProblems() const;
  /// Asks where the first of what is missing is now.
  void locateFirst();
  /// In place of a file dialog: where the data is now; empty: not chosen. `start`: a folder.
  using Choose = std::function<QString(const MissingPath& missing, const QString& start)>;
  void setChoose(Choose choose) { m_choose = std::move(choose); }

 signals:
  void changed();
  /// The person wants the file as another program left it.
  void reloadRequested();

 private:
  void addFileNotice(QList<Notice>& notices);
  /// "nothing is at old/lr"; empty: all is there.
  QString missing() const;
  void locate(const MissingPath& missing);
  void locateAt(const MissingPath& missing, const QString& place);
  /// The place that was chosen last is waited for no more.
  void endWaiting();
  QString askPlace(const MissingPath& missing, const QString& start);

  PipelinePage& m_page;
  FileWatch m_file;
  MissingData m_data;
  Choose m_choose;
  int m_located = 0;  ///< times that a place was chosen: the answers to earlier ones are dropped
  QString m_place;    ///< that is being looked at; empty: none
  QTimer m_moment;    ///< after which it is said that it is waited for
};

}  // namespace millrace
