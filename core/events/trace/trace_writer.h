// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/graph/plan.h"
#include "core/measure/trace_reading.h"
#include "core/run/trace.h"

namespace millrace {

/// What a trace file contains; also written as its `otherData`.
struct TraceSummary {
  std::uint64_t spans = 0;
  std::uint64_t leftOut = 0;  ///< spans lost because a thread's room was full
  /// For the last repeat that has one; nullopt without copies and work on a device.
  std::optional<TraceOverlap> overlap;
};

/// Writes traces as a Trace Event file (JSON object format), which Perfetto and chrome://tracing
/// open: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. A repeat
/// is a process in the file; a thread is a track with complete events ("X") in microseconds since
/// the repeat began, in the categories `read decode augment cache batch transfer device step wait`.
/// A flow ("s", "t", "f") connects the events of a batch from where it was finished to the
/// consumer's step; a counter ("C") shows the number of batches waiting in each queue. A note tells
/// how many spans were left out. One thread.
class TraceWriter {
 public:
  /// Creates the file or replaces an earlier trace, at `finish` (WholeFile). The error names the
  /// file.
  static Result<TraceWriter> open(const std::filesystem::path& file);
  /// A full disk is reported by `finish`.
  void add(const Plan& plan, std::size_t repeat, const RunTrace& trace);
  /// Completes the file. An error if it is not complete.
  Status finish();
  const TraceSummary& summary() const { return m_summary; }

 private:
  TraceWriter(WholeFile file, std::filesystem::path name)
      : m_file(std::move(file)), m_name(std::move(name)) {}
  void write(const std::string& event);
  void addFlows(const Plan& plan, std::size_t process, const RunTrace& trace);
  void addQueues(const Plan& plan, std::size_t process, const RunTrace& trace);

  WholeFile m_file;
  std::filesystem::path m_name;
  bool m_first = true;
  TraceSummary m_summary;
};

}  // namespace millrace
