// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "app/cli/run_control.h"
#include "core/events/event_writer.h"
#include "core/spec/problem.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

/// Writes the event stream of a comparison, or of other measuring that takes `stop` alone, to
/// standard output (core/events/README.md): `hello`, `problem`, `progress` counted in blocks,
/// `block`, `answer`, and `result` at the end.
class ComparisonEvents {
 public:
  ComparisonEvents();

  void problem(const Problem& problem);
  /// `what` is measured next; empty: that says itself.
  void step(const BlockStep& step, const std::string& what = {});
  void block(const MeasuredBlock& block, bool replaced);
  /// It waits for the cores, this long at most; 0: no longer.
  void waiting(double mostSeconds);
  /// `json` on one line, as --json has it.
  void result(const std::string& json);
  /// Answers requests; `stop` is the only one that a comparison takes.
  RequestReader::Handlers handlers(std::function<void()> stop);

 protected:
  /// A line of an event of its own.
  void write(std::string line) { m_writer.write(std::move(line)); }

 private:
  EventWriter m_writer;
};

}  // namespace millrace::cli
