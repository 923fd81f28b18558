// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QSocketNotifier>

#include "core/events/event_reader.h"

namespace millrace {

/// The event stream of a child. Bytes are taken in bounded slices and parsed on a thread of the
/// pool; while one slice is parsed no other is read, so that a child that floods is held up by its
/// own pipe and neither memory nor the event loop pays for it. GUI thread.
class EventPipe : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kSliceBytes = 1 << 16;
  /// A line that is longer is no event of ours.
  static constexpr std::size_t kLineBytes = std::size_t{64} << 20U;

  /// Not ok() where the system gives no pipe.
  explicit EventPipe(QObject* parent = nullptr);
  ~EventPipe() override;

  bool ok() const { return m_read >= 0; }
  bool isOpen() const { return m_read >= 0; }
  /// The end that the child writes to.
  int writeEnd() const { return m_write; }
  /// The child has its end: ours goes, so that the stream can end.
  void closeWriteEnd();
  /// The child is gone: what the pipe still holds is read, then `ended` comes, even if a process of
  /// its own still holds the other end.
  void finish();
  /// Nothing more is wanted.
  void close();

  /// What one slice held.
  struct Slice {
    std::vector<StreamEvent> events;
    std::vector<QString> errors;  ///< of lines that could not be read, the first few
    std::uint64_t badLines = 0;
    bool refused = false;  ///< the stream has another major version; `errors` says so
  };

 signals:
  void arrived(const millrace::EventPipe::Slice& slice);
  /// Behind the last slice.
  void ended();

 private:
  class Parser;
  void read();
  void parse(QByteArray bytes);
  void take(const Slice& slice);

  int m_read = -1;
  int m_write = -1;
  bool m_childGone = false;
  bool m_parsing = false;
  std::unique_ptr<QSocketNotifier> m_notifier;
  std::shared_ptr<Parser> m_parser;
};

}  // namespace millrace
