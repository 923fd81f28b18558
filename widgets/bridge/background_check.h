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

/// Checks a document again after each edit, on a pool thread, without touching data. The GUI thread
/// never waits: the newest finished check is shown until the next one arrives, and results for an
/// outdated state are dropped. GUI thread.
class BackgroundCheck : public QObject {
  Q_OBJECT
 public:
  explicit BackgroundCheck(Document& document);

  /// The newest finished check, preceded by the problems found when the file was read; never null.
  const CheckResult& result() const { return *m_result; }
  /// Whether the result is of the document's current state.
  bool isCurrent() const { return m_finished == m_wanted; }
  int errors() const { return count(Severity::Error); }
  int warnings() const { return count(Severity::Warning); }
  /// Problems of the data, which the check itself does not touch. They are listed after its own
  /// problems.
  void setDataProblems(std::vector<Problem> problems);
  /// Checks nothing from now on, for a document whose nodes cannot run.
  void rest();
  /// The stream that leaves a node; nullptr if it is not known.
  const StreamType* streamAfter(const NodeId& id) const;

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
  bool m_resting = false;
};

}  // namespace millrace
