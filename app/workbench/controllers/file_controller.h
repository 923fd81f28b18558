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

/// What a path named by the user holds.
struct FoundFile {
  bool isThere = false;
  bool isData = false;        ///< data, such as a folder of samples, and not a document
  Result<std::string> bytes;  ///< a document's bytes
};

/// Reads and writes documents' files outside the GUI thread, because a file system may never
/// respond. An operation that takes longer than a moment is reported in a notice, in which the user
/// can give it up. Knows no pages. GUI thread.
class FileController : public QObject {
  Q_OBJECT
 public:
  explicit FileController(QObject* parent = nullptr) : QObject(parent) {}

  /// Reads the file, unless it is already being read. `take` is called later with the result, and
  /// not at all if the user gives up.
  void read(const QString& path, std::function<void(const FoundFile&)> take);
  /// `givenUp`: the user has been informed that the file is not written, and may have continued.
  using Written = std::function<void(const Status& written, bool givenUp)>;
  /// Writes a document. While the same file is being written, the newest bytes wait for that.
  void write(const QString& path, std::string bytes, Written take);

  /// Whether an operation is pending.
  bool isAtWork() const;
  /// Operations that take too long, and operations that were given up.
  QList<Notice> notices();

 signals:
  /// The notices have changed.
  void changed();

 private:
  enum class Wait { Quiet, Reported, GivenUp, Forgotten };
  struct Order {
    std::string bytes;
    Written take;
  };
  struct Job {
    QString path;
    Wait wait = Wait::Quiet;
    std::function<void(const FoundFile&)> read;  ///< empty: the job writes
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
