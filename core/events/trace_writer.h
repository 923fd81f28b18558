// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/base/result.h"
#include "core/graph/plan.h"
#include "core/run/trace.h"
#include "core/run/trace_reading.h"

namespace millrace {

/// What a trace file holds, also as its `otherData`.
struct TraceSummary {
  std::uint64_t spans = 0;
  std::uint64_t leftOut = 0;  ///< that came when a thread's room was full
  /// Of the last repeat that has any: nothing without copies and work on a device.
  std::optional<TraceOverlap> overlap;
};

/// Writes traces as a Trace Event file (JSON object format), which Perfetto and chrome://tracing
/// open: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. A repeat
/// is a process there, a thread a track with complete events ("X") in microseconds since the repeat
/// began, categories `read decode augment cache batch transfer device step wait`; a flow ("s", "t",
/// "f") leads each batch from where it was finished to the consumer's step; a counter ("C") tells
/// how many batches wait in each queue. Spans left out have a note. One thread.
class TraceWriter {
 public:
  /// Makes or replaces the file; the error names it.
  static Result<TraceWriter> open(const std::filesystem::path& file);

  /// A disk that fills is told by `finish`.
  void add(const Plan& plan, std::size_t repeat, const RunTrace& trace);
  /// Completes the file. The error: it is not whole.
  Status finish();
  const TraceSummary& summary() const { return m_summary; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  TraceWriter(File file, std::filesystem::path name)
      : m_file(std::move(file)), m_name(std::move(name)) {}
  void write(const std::string& event);
  void addFlows(const Plan& plan, std::size_t process, const RunTrace& trace);
  void addQueues(const Plan& plan, std::size_t process, const RunTrace& trace);

  File m_file;
  std::filesystem::path m_name;
  bool m_first = true;
  TraceSummary m_summary;
};

}  // namespace millrace
