// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <QColor>
#include <QString>

#include "core/events/trace/trace_file.h"
#include "widgets/trace/trace_lanes.h"

namespace millrace {

/// The title of a node by its id; empty if there is no such node.
using TraceTitles = std::function<QString(const QString& id)>;

/// One repeat of a trace as rows of a timeline. It refers to the file, which must outlive it.
/// Value.
class TraceRows {
 public:
  struct Thread {
    QString name;
    std::vector<TraceLane> lanes;
  };
  /// Where a span is.
  struct Place {
    std::size_t thread = 0;
    std::size_t lane = 0;
    std::size_t span = 0;
    bool operator==(const Place&) const = default;
  };

  TraceRows() = default;
  TraceRows(const TraceFile& file, std::size_t repeat, const TraceTitles& titles = {});

  const std::vector<Thread>& threads() const { return m_threads; }
  const std::vector<const TraceFile::Queue*>& queues() const { return m_queues; }
  std::uint64_t lengthNs() const { return m_lengthNs; }
  const TraceFile::Span& span(const Place& place) const {
    return m_threads[place.thread].lanes[place.lane].spans()[place.span];
  }
  const QString& nameOf(const TraceFile::Span& span) const { return m_names[span.name]; }
  const QString& queueName(std::size_t queue) const { return m_queueNames[queue]; }
  /// "read", "decode", ... as the file has it.
  std::string categoryOf(const TraceFile::Span& span) const;
  bool isWait(const TraceFile::Span& span) const { return span.category == m_wait; }

  /// All spans of a batch from the reading of its samples to the step, by begin.
  std::vector<Place> spansOf(std::uint64_t batch) const;
  std::uint64_t lastBatch() const { return m_lastBatch; }
  /// What was done with that batch, and when, as a sentence.
  QString storyOf(std::uint64_t batch) const;
  /// A span in words: name, item, times, thread.
  QString wordsOf(const Place& place) const;
  /// Busy share of all threads in [from, to), without waits and phases.
  double busyShare(std::uint64_t from, std::uint64_t to) const;

 private:
  const TraceFile* m_file = nullptr;
  std::vector<Thread> m_threads;
  std::vector<const TraceFile::Queue*> m_queues;
  std::vector<QString> m_queueNames;
  std::vector<QString> m_names;  ///< of spans, by index in the file's texts; others are empty
  std::vector<std::pair<std::size_t, TraceLane>> m_busy;  ///< by thread: its spans except waits
  std::uint64_t m_lengthNs = 0;
  std::uint64_t m_lastBatch = 0;
  std::uint32_t m_wait = TraceFile::kNoText;
  std::uint32_t m_phase = TraceFile::kNoText;
};

/// The colour of a category of spans.
QColor traceColour(const std::string& category);
/// The categories in the order of the legend, with their names.
const std::vector<std::pair<std::string, QString>>& traceCategories();
/// "1.204 36 s", "12.4 ms", "830 ns": a duration with three digits or more.
QString shownDuration(std::uint64_t ns);

}  // namespace millrace
