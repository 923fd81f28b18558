// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/file_work.h"

#include <memory>
#include <thread>
#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QTimer>

#include "core/base/mutex.h"
#include "widgets/common/file_dialogs.h"

namespace millrace {

namespace {

using AfterWork = std::function<void()>;

/// Delivers answers to the GUI thread; closed at the program's end, which a thread may outlive.
/// Monitor.
class Letterbox {
 public:
  Letterbox() {
    qAddPostRoutine([] { instance().close(); });
  }
  /// Never destroyed, for the same reason.
  static Letterbox& instance() {
    static auto* box = new Letterbox;
    return *box;
  }
  void post(QPointer<QObject> receiver, AfterWork after) {
    const MutexLock lock(m_mutex);
    if (m_isClosed) return;
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [receiver = std::move(receiver), after = std::move(after)] {
          if (receiver) after();
        },
        Qt::QueuedConnection);
  }

 private:
  void close() {
    const MutexLock lock(m_mutex);
    m_isClosed = true;
  }

  Mutex m_mutex;
  bool m_isClosed MILLRACE_GUARDED_BY(m_mutex) = false;
};

/// The user has asked for a dialog and is waiting for it.
constexpr int kDialogMs = 400;

}  // namespace

void doFileWork(QObject& receiver, std::function<AfterWork()> work) {
  // Created here, while the application certainly exists.
  Letterbox& box = Letterbox::instance();
  std::thread([&box, receiver = QPointer<QObject>(&receiver), work = std::move(work)]() mutable {
    AfterWork after = work();
    box.post(std::move(receiver), std::move(after));
  }).detach();
}

void withStartFolder(QObject& receiver, const QString& folder,
                     std::function<void(const QString&)> take) {
  const QString wanted = folder.isEmpty() ? lastDialogFolder() : folder;
  if (wanted.isEmpty()) return take(wanted);
  const auto once = std::make_shared<std::function<void(const QString&)>>(std::move(take));
  const auto answer = [once](const QString& start) {
    if (const auto use = std::exchange(*once, nullptr)) use(start);
  };
  QTimer::singleShot(kDialogMs, &receiver, [answer] { answer(QDir::homePath()); });
  doFileWork(receiver, [answer, wanted] {
    const QString start = QFileInfo(wanted).isDir() ? wanted : QDir::homePath();
    return [answer, start] { answer(start); };
  });
}

}  // namespace millrace
