// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/controllers/run_count.h"

#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/runs/run_list_query.h"
#include "widgets/runs/store_thread.h"

namespace millrace {

namespace {

constexpr int kWatchMs = 2000;

}  // namespace

RunCount::RunCount(StoreThread& store, QWidget* parent)
    : QToolButton(parent), m_store(store), m_own(store.file()) {
  setObjectName("run_count");
  setAutoRaise(true);
  setIcon(millrace::icon("runs", Tone::Text2));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::NoFocus);  // Keyboard users have its shortcut.
  // Runs are also kept by sweeps, imports and other programs.
  m_watch.setInterval(kWatchMs);
  connect(&m_watch, &QTimer::timeout, this, &RunCount::countAgain);
  m_watch.start();
  hide();
}

void RunCount::countAgain() {
  m_store.trace(this, [this](const QString& trace) {
    if (trace == m_trace) return;
    m_trace = trace;
    count();
  });
}

void RunCount::count() {
  m_store.ask<std::int64_t>(
      this, {}, [](RunStore& store) { return countRuns(store); },
      [this](const StoreAnswer<std::int64_t>& answer) {
        m_runs = answer.value;
        if (answer.noStore) m_runs = 0;
        m_problem = answer.error;
        showCount();
      });
}

void RunCount::setRemark(const QString& remark) {
  m_remark = remark;
  setIcon(remark.isEmpty() ? millrace::icon("runs", Tone::Text2)
                           : millrace::icon("warning", Tone::Warning));
  showCount();
}

void RunCount::setShort(bool isShort) {
  m_isShort = isShort;
  showCount();
}

void RunCount::showCount() {
  setVisible(m_runs || !m_problem.isEmpty());
  const QString runs = !m_runs       ? QString("cannot be read")
                       : *m_runs > 0 ? shownCount(*m_runs, "run")
                                     : QString("no runs yet");
  // Stores usually have the same file name.
  const std::filesystem::path& file = m_store.file();
  const QString name = file == m_own ? fileText(file.filename())
                                     : fileText(file.parent_path().filename() / file.filename());
  setText(m_isShort && m_runs ? runs : name + (m_runs ? " · " : " ") + runs);
  setToolTip(!m_problem.isEmpty()  ? m_problem
             : !m_remark.isEmpty() ? m_remark
                                   : fileText(m_store.file()) + ": your kept runs");
  setAccessibleName("Kept runs: " + text());
}

}  // namespace millrace
