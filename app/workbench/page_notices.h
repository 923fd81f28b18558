// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QObject>

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
  /// Asks where the first of what is missing is now.
  void locateFirst();
  /// In place of a file dialog: where the data is now; empty: not chosen.
  using Choose = std::function<QString(const MissingPath& missing)>;
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
  QString askPlace(const MissingPath& missing);

  PipelinePage& m_page;
  FileWatch m_file;
  MissingData m_data;
  Choose m_choose;
};

}  // namespace millrace
