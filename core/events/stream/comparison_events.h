// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/events/stream/event_writer.h"
#include "core/spec/problem.h"
#include "core/tune/block_measurement.h"

namespace millrace {

/// Writes the event stream of a comparison, or of another measurement whose only request is `stop`
/// (docs/reference/event-stream.md): `hello`, `problem`, `progress` counted in blocks, `block`,
/// `answer`, and `result` at the end. Any thread.
class ComparisonEvents {
 public:
  /// Begins the stream on this file descriptor; by default on standard output.
  explicit ComparisonEvents(int descriptor = 1);

  void problem(const Problem& problem);
  /// `what` is measured next; empty: the step describes itself.
  void step(const BlockStep& step, const std::string& what = {});
  void block(const MeasuredBlock& block, bool replaced);
  /// The measurement waits for the cores for at most this long; 0: it no longer waits.
  void waiting(double mostSeconds);
  /// `json` on one line, in the form of --json.
  void result(const std::string& json);
  /// Answers a request; an empty `error` means success.
  void answer(std::int64_t id, const std::string& error);

 protected:
  /// Writes the line of another event.
  void write(std::string line) { m_writer.write(std::move(line)); }

 private:
  EventWriter m_writer;
};

}  // namespace millrace
