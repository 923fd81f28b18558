// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/example_pictures.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "core/sample_data/sample_data.h"
#include "widgets/common/strings.h"

namespace millrace {

void ExamplePictures::stop() {
  if (m_stop) *m_stop = true;
  m_stop.reset();
}

void ExamplePictures::draw(const QString& kind) {
  stop();
  m_stop = std::make_shared<std::atomic<bool>>(false);
  QPointer<ExamplePictures> self(this);
  QThreadPool::globalInstance()->start([self, kind, stop = m_stop] {
    const auto made = ensureSamplePreview(
        fromQt(kind), [stop](std::uint32_t, std::uint32_t) { return !stop->load(); });
    // Queued to the application object: if this object is destroyed meanwhile, the result is
    // dropped there.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, kind, stop, folder = made ? fileText(*made) : QString()] {
          if (!self || self->m_stop != stop) return;
          self->m_stop.reset();
          emit self->drawn(kind, folder);
        },
        Qt::QueuedConnection);
  });
}

}  // namespace millrace
