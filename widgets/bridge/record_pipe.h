// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QJsonObject>

#include "widgets/bridge/slice_pipe.h"

namespace millrace {

/// The event stream of a child as JSON objects, for events that `EventReader` has no type for. A
/// stream of another major version is refused, as there. GUI thread.
class RecordPipe : public SlicePipe {
  Q_OBJECT
 public:
  explicit RecordPipe(QObject* parent = nullptr);

  /// What one slice held, in order.
  struct Slice {
    std::vector<QJsonObject> events;  ///< each has `event`, its name
    QString error;                    ///< of the first line that is no event; empty: none
    bool refused = false;             ///< `error` says why nothing more is read
  };

 signals:
  void arrived(const millrace::RecordPipe::Slice& slice);

 private:
  class Parser;
  static Digest digestFor(RecordPipe* pipe);
};

}  // namespace millrace
