// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "app/cli/run/run_control.h"
#include "core/events/event_writer.h"
#include "core/spec/problem.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

/// Writes the event stream of a comparison, or of another measurement whose only request is `stop`,
/// to standard output (docs/reference/event-stream.md): `hello`, `problem`, `progress` counted in
/// blocks, `block`, `answer`, and `result` at the end.
class ComparisonEvents {
 public:
  ComparisonEvents();

  void problem(const Problem& problem);
  /// `what` is measured next; empty: the step describes itself.
  void step(const BlockStep& step, const std::string& what = {});
  void block(const MeasuredBlock& block, bool replaced);
  /// The measurement waits for the cores for at most this long; 0: it no longer waits.
  void waiting(double mostSeconds);
  /// `json` on one line, in the form of --json.
  void result(const std::string& json);
  /// Answers requests; a comparison only accepts `stop`.
  RequestReader::Handlers handlers(std::function<void()> stop);

 protected:
  /// Writes the line of another event.
  void write(std::string line) { m_writer.write(std::move(line)); }

 private:
  EventWriter m_writer;
};

}  // namespace millrace::cli
