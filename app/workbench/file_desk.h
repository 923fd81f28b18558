// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include <QObject>

#include "core/base/result.h"
#include "widgets/common/notice_bar.h"

namespace millrace {

/// What stands at a path that a person named.
struct FoundFile {
  bool isThere = false;
  bool isData = false;        ///< a folder of samples and the like, no document
  Result<std::string> bytes;  ///< of a document
};

/// The files of documents, read and written beside the GUI thread: the file system of a path may
/// never answer. What takes longer than a moment is said in a notice, in which it can be given up.
/// Knows no pages. GUI thread.
class FileDesk : public QObject {
  Q_OBJECT
 public:
  explicit FileDesk(QObject* parent = nullptr) : QObject(parent) {}

  /// Reads what is there, unless that is under way already. `take` is called once it is known,
  /// never from here, and not where it was given up.
  void read(const QString& path, std::function<void(const FoundFile&)> take);
  /// `givenUp`: the person has been told that it is not written, and may have done something else.
  using Written = std::function<void(const Status& written, bool givenUp)>;
  /// Writes a document. While the same file is being written the newest bytes wait for that.
  void write(const QString& path, std::string bytes, Written take);

  /// Whether anything is waited for.
  bool isAtWork() const;
  /// What has been waited for too long, and what was given up.
  QList<Notice> notices();

 signals:
  /// The notices.
  void changed();

 private:
  enum class Wait { Quiet, Told, GivenUp, Forgotten };
  struct Order {
    std::string bytes;
    Written take;
  };
  struct Job {
    QString path;
    Wait wait = Wait::Quiet;
    std::function<void(const FoundFile&)> read;  ///< nothing: it is written
    Written written;
    std::optional<Order> next;
  };

  int begin(Job job);
  void finishRead(int number, const FoundFile& found);
  void finishWrite(int number, const Status& status);
  void setWait(int number, Wait wait);
  Notice noticeOf(int number, const Job& job);

  std::map<int, Job> m_jobs;
  int m_last = 0;
};

}  // namespace millrace
