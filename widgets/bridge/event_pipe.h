// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QJsonObject>

#include "core/events/event_reader.h"
#include "widgets/bridge/slice_pipe.h"

namespace millrace {

/// An event of a child.
struct ChildEvent {
  StreamEvent read;
  QJsonObject json;  ///< of what has no type of its own, and of `progress` and `result`; else empty
};

/// The event stream of a child, a slice of events at a time. GUI thread.
class EventPipe : public SlicePipe {
  Q_OBJECT
 public:
  /// A line that is longer is no event of ours.
  static constexpr std::size_t kLineBytes = std::size_t{64} << 20U;

  explicit EventPipe(QObject* parent = nullptr);

  /// What one slice held.
  struct Slice {
    std::vector<ChildEvent> events;
    QString error;         ///< of the first line that could not be read; empty: none
    bool refused = false;  ///< the stream has another major version; `error` says so
  };

 signals:
  void arrived(const millrace::EventPipe::Slice& slice);

 private:
  class Parser;
  static Digest digestFor(EventPipe* pipe);
};

}  // namespace millrace
