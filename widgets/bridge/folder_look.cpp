// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/folder_look.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "widgets/common/strings.h"

namespace millrace {

void FolderLook::drop() {
  if (m_stop) *m_stop = true;
  m_stop.reset();
}

void FolderLook::look(const QString& folder) {
  drop();
  m_stop = std::make_shared<std::atomic<bool>>(false);
  QPointer<FolderLook> self(this);
  QThreadPool::globalInstance()->start([self, folder, stop = m_stop] {
    FolderContent content = lookAt(pathOf(folder), {}, stop.get());
    // Queued to the application, so that an object that is gone meanwhile is only missed there.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, folder, stop, content = std::move(content)] {
          if (!self || self->m_stop != stop) return;
          self->m_stop.reset();
          emit self->found(folder, content);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace millrace
