// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/slice_pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace millrace {

bool LineCutter::feed(const QByteArray& bytes, std::size_t mostBytes,
                      const std::function<void(std::string_view)>& line) {
  m_pending.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
  std::size_t begin = 0;
  for (std::size_t end = m_pending.find('\n', m_scanned); end != std::string::npos;
       end = m_pending.find('\n', begin)) {
    line(std::string_view(m_pending).substr(begin, end - begin));
    begin = end + 1;
  }
  m_pending.erase(0, begin);
  m_scanned = m_pending.size();
  if (m_pending.size() <= mostBytes) return true;
  m_pending.clear();
  m_scanned = 0;
  return false;
}

SlicePipe::SlicePipe(Digest digest, QObject* parent)
    : QObject(parent), m_digest(std::make_shared<const Digest>(std::move(digest))) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  m_read = ends[0];
  m_write = ends[1];
  ::fcntl(m_read, F_SETFL, O_NONBLOCK);
  m_notifier = std::make_unique<QSocketNotifier>(m_read, QSocketNotifier::Read);
  connect(m_notifier.get(), &QSocketNotifier::activated, this, &SlicePipe::read);
}

SlicePipe::~SlicePipe() {
  closeWriteEnd();
  close();
}

void SlicePipe::closeWriteEnd() {
  if (m_write >= 0) ::close(std::exchange(m_write, -1));
}

void SlicePipe::close() {
  m_notifier.reset();
  if (m_read >= 0) ::close(std::exchange(m_read, -1));
}

void SlicePipe::finish() {
  m_childGone = true;
  read();
}

void SlicePipe::read() {
  if (m_read < 0 || m_digesting) return;
  QByteArray bytes(kSliceBytes, Qt::Uninitialized);
  ssize_t count = 0;
  do count = ::read(m_read, bytes.data(), static_cast<std::size_t>(bytes.size()));
  while (count < 0 && errno == EINTR);
  const bool nothingNow = count < 0 && errno == EAGAIN;
  if (count > 0) {
    bytes.truncate(count);
    digest(std::move(bytes));
  } else if (!nothingNow || m_childGone) {
    close();
    emit ended();
  }
}

void SlicePipe::digest(QByteArray bytes) {
  m_digesting = true;
  m_notifier->setEnabled(false);
  // Queued to the application object: if the pipe is destroyed meanwhile, the slice is dropped
  // there.
  QPointer<SlicePipe> self(this);
  QThreadPool::globalInstance()->start([self, digest = m_digest, bytes = std::move(bytes)] {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, delivery = (*digest)(bytes)] {
          if (self) self->deliver(delivery);
        },
        Qt::QueuedConnection);
  });
}

void SlicePipe::deliver(const Delivery& delivery) {
  m_digesting = false;
  if (m_notifier) m_notifier->setEnabled(true);
  if (m_read < 0) return;
  QPointer<SlicePipe> self(this);
  delivery();
  if (self && m_childGone) read();
}

}  // namespace millrace
