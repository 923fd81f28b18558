// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/events/event_reader.h"
#include "widgets/bridge/slice_pipe.h"

namespace millrace {

/// The event stream of a child, a slice of events at a time. GUI thread.
class EventPipe : public SlicePipe {
  Q_OBJECT
 public:
  /// A line that is longer is no event of ours.
  static constexpr std::size_t kLineBytes = std::size_t{64} << 20U;

  explicit EventPipe(QObject* parent = nullptr);

  /// What one slice held.
  struct Slice {
    std::vector<StreamEvent> events;
    std::vector<QString> errors;  ///< of lines that could not be read, the first few
    std::uint64_t badLines = 0;
    bool refused = false;  ///< the stream has another major version; `errors` says so
  };

 signals:
  void arrived(const millrace::EventPipe::Slice& slice);

 private:
  class Parser;
  static Digest digestFor(EventPipe* pipe);
};

}  // namespace millrace
