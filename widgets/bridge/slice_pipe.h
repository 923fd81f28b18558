// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <QByteArray>
#include <QObject>
#include <QSocketNotifier>

namespace millrace {

/// Lines out of bytes that come in pieces. One thread at a time.
class LineCutter {
 public:
  /// `line` gets each whole line without its end; empty ones too. False: a line is longer than
  /// `mostBytes`, and what had come of it is dropped.
  bool feed(const QByteArray& bytes, std::size_t mostBytes,
            const std::function<void(std::string_view)>& line);

 private:
  std::string m_pending;
  std::size_t m_scanned = 0;  ///< of m_pending, without a line's end
};

/// What a child writes. Bytes are taken in bounded slices and digested on a thread of the pool;
/// while one slice is digested no other is read, so that a child that floods is held up by its own
/// pipe and neither memory nor the event loop pays for it. GUI thread.
class SlicePipe : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kSliceBytes = 1 << 16;

  /// What is left to do with a digested slice, in the GUI thread.
  using Delivery = std::function<void()>;
  /// Runs on a thread of the pool, one slice after the other. Its delivery is dropped when the pipe
  /// is closed or gone by then, so that it may use what lives as long as the pipe.
  using Digest = std::function<Delivery(const QByteArray& bytes)>;

  /// Not ok() where the system gives no pipe.
  explicit SlicePipe(Digest digest, QObject* parent = nullptr);
  ~SlicePipe() override;

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

 signals:
  /// Behind the last slice.
  void ended();

 private:
  void read();
  void digest(QByteArray bytes);
  void deliver(const Delivery& delivery);

  int m_read = -1;
  int m_write = -1;
  bool m_childGone = false;
  bool m_digesting = false;
  std::unique_ptr<QSocketNotifier> m_notifier;
  std::shared_ptr<const Digest> m_digest;
};

}  // namespace millrace
