// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QJsonObject>

#include "core/events/stream/event_reader.h"
#include "widgets/bridge/slice_pipe.h"

namespace millrace {

/// An event of a child.
struct ChildEvent {
  StreamEvent read;
  QJsonObject json;  ///< of events without a C++ type, `progress` and `result`; else empty
};

/// A child's event stream, delivered in slices of events. GUI thread.
class EventPipe : public SlicePipe {
  Q_OBJECT
 public:
  /// The longest line that is accepted as an event.
  static constexpr std::size_t kLineBytes = std::size_t{64} << 20U;

  explicit EventPipe(QObject* parent = nullptr);

  /// The content of one slice.
  struct Slice {
    std::vector<ChildEvent> events;
    QString error;         ///< of the first line that could not be read, else empty
    bool refused = false;  ///< the stream's major version differs; see `error`
  };

 signals:
  void arrived(const millrace::EventPipe::Slice& slice);

 private:
  class Parser;
  static Digest digestFor(EventPipe* pipe);
};

}  // namespace millrace
