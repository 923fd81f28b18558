// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/graph/graph_check.h"

namespace millrace {

class Document;

/// Checks a document again after each edit, on a thread of the pool, without touching data. The
/// GUI thread never waits: the newest finished check is shown until the next one arrives, and
/// results of a state that is past are dropped. GUI thread.
class BackgroundCheck : public QObject {
  Q_OBJECT
 public:
  explicit BackgroundCheck(Document& document);

  /// The newest finished check, with what reading the file had to say first; never null.
  const CheckResult& result() const { return *m_result; }
  /// Whether it is of the document as it stands.
  bool isCurrent() const { return m_finished == m_wanted; }
  int errors() const { return count(Severity::Error); }
  int warnings() const { return count(Severity::Warning); }
  /// What is known of the data, which the check does not touch: told behind its own problems.
  void setDataProblems(std::vector<Problem> problems);
  /// The stream that leaves a node; nullptr where it is not known.
  const StreamType* streamBehind(const NodeId& id) const;

 signals:
  void finished();

 private:
  void request();
  void start();
  void take(std::uint64_t number, std::shared_ptr<const CheckResult> result);
  int count(Severity severity) const;

  Document& m_document;
  QTimer m_delay;
  std::shared_ptr<const CheckResult> m_result = std::make_shared<CheckResult>();
  std::vector<Problem> m_dataProblems;
  std::uint64_t m_wanted = 0;
  std::uint64_t m_finished = 0;
  bool m_running = false;
};

}  // namespace millrace
