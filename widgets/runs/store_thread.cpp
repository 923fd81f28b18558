// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/store_thread.h"

#include <sys/stat.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>

#include "core/base/text/text.h"
#include "widgets/common/strings.h"

namespace millrace {

StoreThread::StoreThread(std::filesystem::path file, QObject* parent)
    : QObject(parent), m_file(std::move(file)), m_shelf(std::make_shared<Shelf>()) {
  m_pool.setMaxThreadCount(1);
  m_pool.setObjectName("store");
  m_warming.setMaxThreadCount(1);
}

StoreThread::~StoreThread() {
  m_ending = true;
  m_warming.waitForDone();
  m_pool.waitForDone();
}

void StoreThread::warm(QObject* context, std::function<void()> done) {
  m_warming.start([this, self = QPointer<QObject>(context), file = m_file, done = std::move(done)] {
    // Never through a file descriptor of ours: closing it would release SQLite's locks.
    Database::Options options;
    options.mode = Database::Mode::Read;
    if (Result<RunStore> store = RunStore::open(file, options); store.ok())
      (void)store->warm([this] { return m_ending.load(); });
    deliver([self, done] {
      if (self && done) done();
    });
  });
}

RunStore* StoreThread::Shelf::reader(const std::filesystem::path& file, QString& error,
                                     bool& noStore) {
  struct stat facts{};
  if (::stat(file.c_str(), &facts) != 0 && errno == ENOENT) {
    m_reader.reset();
    noStore = true;
    return nullptr;
  }
  // A different file of the same name is another store.
  if (m_reader && (m_file != file || m_inode != facts.st_ino)) m_reader.reset();
  if (!m_reader) {
    Database::Options options;
    options.mode = Database::Mode::Read;
    Result<RunStore> opened = RunStore::open(file, options);
    if (!opened.ok()) {
      error = textOf(opened.error());
      return nullptr;
    }
    m_reader.emplace(opened.take());
    m_file = file;
    m_inode = facts.st_ino;
  }
  return &*m_reader;
}

void StoreThread::change(QObject* context, std::function<Status(RunStore&)> job,
                         std::function<void(const QString&)> done) {
  post([self = QPointer<QObject>(context), file = m_file, job = std::move(job),
        done = std::move(done)] {
    QString error;
    Result<RunStore> store = RunStore::open(file);
    if (!store.ok())
      error = textOf(store.error());
    else if (const Status changed = job(*store); !changed.ok())
      error = textOf(changed.error());
    deliver([self, done, error] {
      if (self) done(error);
    });
  });
}

void StoreThread::trace(QObject* context, std::function<void(const QString&)> done) {
  post([self = QPointer<QObject>(context), file = m_file, done = std::move(done)] {
    QString trace;
    // A change of the write-ahead log is a change of the store, too.
    for (const char* suffix : {"", "-wal"}) {
      const QFileInfo info(fileText(file) + suffix);
      trace += QString("%1 %2 ").arg(info.size()).arg(info.lastModified().toMSecsSinceEpoch());
    }
    deliver([self, done, trace] {
      if (self) done(trace);
    });
  });
}

QString StoreThread::textOf(const Error& error) { return sentence(singleLine(error.message)); }

void StoreThread::post(std::function<void()> work) { m_pool.start(std::move(work)); }

void StoreThread::deliver(std::function<void()> done) {
  // Posted to the application object: if the context is destroyed meanwhile, this is noticed on its
  // own thread.
  QMetaObject::invokeMethod(QCoreApplication::instance(), std::move(done), Qt::QueuedConnection);
}

}  // namespace millrace
