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

/// Cuts bytes that arrive in pieces into lines. One thread at a time.
class LineCutter {
 public:
  /// `line` gets each whole line without its end, empty lines too. Returns false if a line is
  /// longer than `mostBytes`; the bytes of that line so far are dropped.
  bool feed(const QByteArray& bytes, std::size_t mostBytes,
            const std::function<void(std::string_view)>& line);

 private:
  std::string m_pending;
  std::size_t m_scanned = 0;  ///< bytes of m_pending known to hold no line end
};

/// A child's output. Bytes are taken in bounded slices and parsed on a pool thread. While one slice
/// is parsed, no other is read, so a child that floods is held up by its own pipe and costs neither
/// memory nor event-loop time. GUI thread.
class SlicePipe : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kSliceBytes = 1 << 16;

  /// The rest of the work on a parsed slice, done in the GUI thread.
  using Delivery = std::function<void()>;
  /// Runs on a pool thread, one slice after the other. Its delivery is dropped if the pipe is
  /// closed or destroyed by then, so it may use what lives as long as the pipe.
  using Digest = std::function<Delivery(const QByteArray& bytes)>;

  /// ok() is false if the system provides no pipe.
  explicit SlicePipe(Digest digest, QObject* parent = nullptr);
  ~SlicePipe() override;

  bool ok() const { return m_read >= 0; }
  bool isOpen() const { return m_read >= 0; }
  /// The end that the child writes to.
  int writeEnd() const { return m_write; }
  /// Closes our copy of the write end once the child has its own, so that the stream can end.
  void closeWriteEnd();
  /// Call when the child is gone: the rest of the pipe is read, then `ended` is emitted, even if a
  /// grandchild still holds the other end.
  void finish();
  /// Stops reading.
  void close();

 signals:
  /// Emitted after the last slice.
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
