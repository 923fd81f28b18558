// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/data_probe.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "widgets/bridge/background_check.h"
#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

/// The preview and the check come first: the probe must not slow down editing.
constexpr int kAfterEditMs = 700;
/// An engine's answer takes some kB; for a data set with very many classes it takes some MB.
constexpr qsizetype kLongestAnswer = 64 << 20;
constexpr int kLowestPriority = 19;

}  // namespace

DataProbe::DataProbe(Document& document, BackgroundCheck& check, QObject* parent)
    : QObject(parent), m_document(document), m_check(check) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kAfterEditMs);
  connect(&m_delay, &QTimer::timeout, this, &DataProbe::refresh);
  connect(&document, &Document::changed, this, [this] { m_delay.start(); });
  // The document may be another one, or was read again: its data may have changed with it.
  connect(&document, &Document::replaced, this, [this] { m_known.clear(); });
}

DataProbe::~DataProbe() { endChild(); }

void DataProbe::setPaused(bool paused) {
  if (paused == m_paused) return;
  m_paused = paused;
  if (paused)
    endChild();
  else
    probeNext();
}

void DataProbe::refresh() {
  std::vector<DataPlace> places =
      dataPlaces(m_document.graph(), m_document.catalog(), m_document.base());
  if (places != m_places) {
    m_places = std::move(places);
    emitChanged();
  }
  probeNext();
}

void DataProbe::probeNext() {
  if (m_paused || m_current) return;
  for (const DataPlace& place : m_places)
    if (!m_known.contains(place.path)) return start(place.path);
}

void DataProbe::start(const std::filesystem::path& path) {
  const QString program = m_program.isEmpty() ? engineProgram() : m_program;
  if (program.isEmpty()) return;
  m_current = path;
  m_answer.clear();
  m_process = std::make_unique<QProcess>();
  m_process->setStandardInputFile(QProcess::nullDevice());
  m_process->setStandardErrorFile(QProcess::nullDevice());
  m_process->setChildProcessModifier(
      [] { [[maybe_unused]] const int priority = ::nice(kLowestPriority); });
  connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &DataProbe::readOn);
  connect(m_process.get(), &QProcess::finished, this, [this, path] { conclude(path); });
  connect(m_process.get(), &QProcess::errorOccurred, this, [this, path](QProcess::ProcessError e) {
    if (e == QProcess::FailedToStart) conclude(path);
  });
  m_process->start(program, {"inspect", "--json", "--", fileText(path)});
}

void DataProbe::readOn() {
  m_answer += m_process->readAllStandardOutput();
  if (m_answer.size() > kLongestAnswer) m_process->kill();
}

void DataProbe::conclude(const std::filesystem::path& path) {
  // The process must not be destroyed inside its own signal.
  QProcess* over = m_process.release();
  over->disconnect(this);
  m_answer += over->readAllStandardOutput();
  over->deleteLater();
  QPointer<DataProbe> self(this);
  QThreadPool::globalInstance()->start([self, path, answer = std::exchange(m_answer, {})] {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, path, facts = dataFactsIn(answer)] {
          if (self) self->take(path, facts);
        },
        Qt::QueuedConnection);
  });
}

void DataProbe::take(const std::filesystem::path& path, const std::optional<DataFacts>& facts) {
  m_known[path] = facts;
  if (m_current == path) m_current.reset();
  emitChanged();
  probeNext();
}

void DataProbe::retryMissing() {
  std::erase_if(m_known, [](const auto& known) { return !known.second; });
  m_delay.start();
}

void DataProbe::setMissing(std::vector<Problem> problems) {
  if (problems.empty() && m_missing.empty()) return;
  m_missing = std::move(problems);
  // What was found while the data was missing is no longer valid once it is back.
  m_known.clear();
  emitChanged();
}

void DataProbe::endChild() {
  m_current.reset();
  if (!m_process) return;
  m_process->disconnect(this);
  m_process->kill();
  // A child that waits for a network drive may take its time to end.
  QProcess* over = m_process.release();
  over->setParent(QCoreApplication::instance());
  connect(over, &QProcess::finished, over, &QObject::deleteLater);
  if (over->state() == QProcess::NotRunning) over->deleteLater();
}

std::vector<std::pair<DataPlace, DataFacts>> DataProbe::found() const {
  std::vector<std::pair<DataPlace, DataFacts>> all;
  for (const DataPlace& place : m_places)
    if (const auto known = m_known.find(place.path); known != m_known.end() && known->second)
      all.emplace_back(place, readBy(*known->second, place.kind));
  return all;
}

void DataProbe::emitChanged() {
  std::vector<Problem> problems = m_missing;
  for (const auto& [place, facts] : found())
    std::ranges::move(problemsOf(place, facts), std::back_inserter(problems));
  m_check.setDataProblems(std::move(problems));
  emit changed();
}

}  // namespace millrace
