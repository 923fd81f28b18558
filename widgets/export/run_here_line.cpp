// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/run_here_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

namespace millrace {

namespace {

const char* const kLast = "export/interpreter";  // of any target

QString keyOf(const QString& target) { return QString(kLast) + "_of/" + target; }

}  // namespace

RunHereLine::RunHereLine(QSettings& settings, QWidget* parent)
    : QWidget(parent),
      m_settings(settings),
      m_interpreter(new QLineEdit(settings.value(kLast, "python3").toString())),
      m_button(new QPushButton) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  auto* label = new QLabel("&Interpreter");
  label->setBuddy(m_interpreter);
  m_interpreter->setToolTip("The Python that has the packages of this target");
  m_button->setAutoDefault(false);
  m_button->setToolTip(
      "Measures the code's loader with this interpreter and keeps the run; the rate then stands in "
      "the list and at the head of the code");
  row->addWidget(label);
  row->addWidget(m_interpreter, 1);
  row->addWidget(m_button);
  connect(m_interpreter, &QLineEdit::textChanged, this, &RunHereLine::refresh);
  connect(m_button, &QPushButton::clicked, this, [this] {
    if (m_run.isRunning()) return m_run.stop();
    emit asked();
  });
  connect(&m_run, &ExportRun::ended, this, [this](double rate, const QString& refusal) {
    refresh();
    emit ended(rate, refusal);
  });
  refresh();
}

void RunHereLine::setTarget(const QString& name) {
  if (name == m_target) return;
  m_target = name;
  const QString known = m_settings.value(keyOf(name)).toString();
  if (!known.isEmpty() && !m_run.isRunning()) m_interpreter->setText(known);
}

void RunHereLine::setRunnable(bool runnable) {
  m_runnable = runnable;
  refresh();
}

void RunHereLine::start(ExportRunRequest request) {
  request.interpreter = m_interpreter->text().trimmed();
  for (const QString& key : {QString(kLast), keyOf(m_target)})
    m_settings.setValue(key, request.interpreter);
  m_run.start(request);
  refresh();
}

void RunHereLine::refresh() {
  const bool runs = m_run.isRunning();
  m_button->setText(runs ? "&Stop" : "&Run it here");
  m_button->setEnabled(runs || (m_runnable && !m_interpreter->text().trimmed().isEmpty()));
  m_interpreter->setEnabled(!runs);
}

}  // namespace millrace
