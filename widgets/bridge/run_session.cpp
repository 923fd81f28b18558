// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_session.h"

#include <utility>

namespace millrace {

RunSession::RunSession(QObject* parent) : QObject(parent) {
  m_tick.setInterval(kTickMs);
  connect(&m_tick, &QTimer::timeout, this, [this] {
    if (std::exchange(m_news, false)) tick();
  });
  connect(&m_process, &RunProcess::eventReceived, this, [this](const StreamEvent& event) {
    m_run.take(event);
    m_news = true;
  });
  connect(&m_process, &RunProcess::silent, this, [this](const QString& sentence) {
    m_silence = sentence;
    m_news = true;
  });
  connect(&m_process, &RunProcess::ended, this, [this](const ChildEnd& end) {
    m_tick.stop();
    m_silence.clear();
    m_run.finish(end);
    tick();
    emit stateChanged();
  });
}

void RunSession::start(const RunOrder& order, NodeNames names) {
  m_run.begin(order.title, order.measure, std::move(names));
  m_process.start(order);
  m_tick.start();
  tick();
  emit stateChanged();
}

void RunSession::tick() {
  m_overlay = overlayOf(m_run);
  emit ticked();
}

}  // namespace millrace
