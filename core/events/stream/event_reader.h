// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/result.h"
#include "core/events/search/search_events.h"
#include "core/events/stream/run_events.h"

namespace millrace {

/// An event of a later minor version; must be ignored.
struct UnknownEvent {
  std::string name;
};

struct StreamEvent {
  using Content =
      std::variant<UnknownEvent, HelloEvent, PlanEvent, WaitingEvent, ReadyEvent, RunPhase,
                   SnapshotEvent, WindowEvent, RepeatEvent, ProblemEvent, ProgressEvent, BlockEvent,
                   ResultEvent, AnswerEvent, RecordEvent, PageEvent, SweepEvent, TuneEvent,
                   TuneSpaceEvent, TrialBegunEvent, TrialEndedEvent, TuneEndedEvent>;

  // Defined in the source, so that not every file that passes events on compiles them again.
  StreamEvent();
  StreamEvent(double time, Content content);
  StreamEvent(const StreamEvent&);
  StreamEvent(StreamEvent&&) noexcept;
  StreamEvent& operator=(const StreamEvent&);
  StreamEvent& operator=(StreamEvent&&) noexcept;
  ~StreamEvent();

  double time = 0;  ///< monotonic clock of the writer, seconds
  Content content;
};

/// Reads the lines of one stream. An error is a sentence about its line and concerns only that
/// line, except that after a `hello` with another major version every line is refused. One thread;
/// never throws; allocates no memory based on a number in a line.
class EventReader {
 public:
  /// `line` without its newline.
  Result<StreamEvent> read(std::string_view line);
  /// The stream's hello; nullopt before it arrived.
  const std::optional<HelloEvent>& hello() const { return m_hello; }
  /// Whether the stream has another major version, so nothing of it will be read.
  bool refused() const { return m_refused.has_value(); }

 private:
  Status greet(const HelloEvent& hello);

  std::optional<HelloEvent> m_hello;
  std::optional<Error> m_refused;
};

}  // namespace millrace
