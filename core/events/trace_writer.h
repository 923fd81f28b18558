// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>

#include "core/base/result.h"
#include "core/graph/plan.h"
#include "core/run/trace.h"

namespace millrace {

/// Writes traces as a Trace Event file (JSON object format), which Perfetto and chrome://tracing
/// open: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. A repeat
/// is a process there, a thread a track; waits and spans left out have names and notes of their
/// own. One thread.
class TraceWriter {
 public:
  /// Makes or replaces the file; the error names it.
  static Result<TraceWriter> open(const std::filesystem::path& file);

  /// A disk that fills is told by `finish`.
  void add(const Plan& plan, std::size_t repeat, const RunTrace& trace);
  /// Completes the file. The error: it is not whole.
  Status finish();

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  TraceWriter(File file, std::filesystem::path name)
      : m_file(std::move(file)), m_name(std::move(name)) {}
  void write(const std::string& event);

  File m_file;
  std::filesystem::path m_name;
  bool m_first = true;
};

}  // namespace millrace
