// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/event_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "widgets/common/strings.h"

namespace millrace {

/// Lines out of bytes, events out of lines. Used by one task at a time.
class EventPipe::Parser {
 public:
  Slice parse(const QByteArray& bytes) {
    Slice slice;
    m_pending.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    std::size_t begin = 0;
    for (std::size_t end = m_pending.find('\n', m_scanned); end != std::string::npos;
         end = m_pending.find('\n', begin)) {
      line(std::string_view(m_pending).substr(begin, end - begin), slice);
      begin = end + 1;
    }
    m_pending.erase(0, begin);
    m_scanned = m_pending.size();
    if (m_pending.size() > kLineBytes) {
      complain("a line of the event stream is longer than 64 MB", slice);
      m_pending.clear();
      m_scanned = 0;
    }
    return slice;
  }

 private:
  void line(std::string_view text, Slice& slice) {
    if (text.empty() || m_reader.refused()) return;
    Result<StreamEvent> event = m_reader.read(text);
    if (event)
      slice.events.push_back(event.take());
    else
      complain(event.error().message, slice);
    slice.refused = slice.refused || m_reader.refused();
  }

  static void complain(const std::string& error, Slice& slice) {
    constexpr std::size_t kKept = 4;
    ++slice.badLines;
    if (slice.errors.size() < kKept) slice.errors.push_back(toQt(error));
  }

  EventReader m_reader;
  std::string m_pending;
  std::size_t m_scanned = 0;  ///< of m_pending, without a line's end
};

EventPipe::EventPipe(QObject* parent) : QObject(parent), m_parser(std::make_shared<Parser>()) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  m_read = ends[0];
  m_write = ends[1];
  ::fcntl(m_read, F_SETFL, O_NONBLOCK);
  m_notifier = std::make_unique<QSocketNotifier>(m_read, QSocketNotifier::Read);
  connect(m_notifier.get(), &QSocketNotifier::activated, this, &EventPipe::read);
}

EventPipe::~EventPipe() {
  closeWriteEnd();
  close();
}

void EventPipe::closeWriteEnd() {
  if (m_write >= 0) ::close(std::exchange(m_write, -1));
}

void EventPipe::close() {
  m_notifier.reset();
  if (m_read >= 0) ::close(std::exchange(m_read, -1));
}

void EventPipe::finish() {
  m_childGone = true;
  read();
}

void EventPipe::read() {
  if (m_read < 0 || m_parsing) return;
  QByteArray bytes(kSliceBytes, Qt::Uninitialized);
  ssize_t count = 0;
  do count = ::read(m_read, bytes.data(), static_cast<std::size_t>(bytes.size()));
  while (count < 0 && errno == EINTR);
  const bool nothingNow = count < 0 && errno == EAGAIN;
  if (count > 0) {
    bytes.truncate(count);
    parse(std::move(bytes));
  } else if (!nothingNow || m_childGone) {
    close();
    emit ended();
  }
}

void EventPipe::parse(QByteArray bytes) {
  m_parsing = true;
  m_notifier->setEnabled(false);
  // Queued to the application, so that a pipe that is closed meanwhile is only missed there.
  QPointer<EventPipe> self(this);
  QThreadPool::globalInstance()->start([self, parser = m_parser, bytes = std::move(bytes)] {
    auto slice = std::make_shared<const Slice>(parser->parse(bytes));
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, slice = std::move(slice)] {
          if (self) self->take(*slice);
        },
        Qt::QueuedConnection);
  });
}

void EventPipe::take(const Slice& slice) {
  m_parsing = false;
  if (m_notifier) m_notifier->setEnabled(true);
  if (m_read < 0) return;
  QPointer<EventPipe> self(this);
  emit arrived(slice);
  if (self && m_childGone) read();
}

}  // namespace millrace
