// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/background_check.h"

#include <algorithm>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "widgets/models/document.h"

namespace millrace {

namespace {

/// Just long enough for the next key press of a word being typed to arrive.
constexpr int kDelayMs = 25;

std::shared_ptr<const CheckResult> check(const Graph& graph, const Catalog& catalog,
                                         const std::filesystem::path& base, Problems read,
                                         const std::vector<Problem>& data) {
  CheckOptions options;
  options.base = base;
  options.device = DeviceUse::DontDetect;
  CheckResult result = checkGraph(graph, catalog, options);
  for (const Problem& problem : result.problems.all()) read.add(problem);
  for (const Problem& problem : data) read.add(problem);
  result.problems = std::move(read);
  return std::make_shared<const CheckResult>(std::move(result));
}

}  // namespace

BackgroundCheck::BackgroundCheck(Document& document) : QObject(&document), m_document(document) {
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMs);
  connect(&m_delay, &QTimer::timeout, this, &BackgroundCheck::start);
  connect(&document, &Document::changed, this, &BackgroundCheck::request);
  connect(&document, &Document::stateChanged, this, &BackgroundCheck::request);
  request();
}

void BackgroundCheck::rest() {
  m_resting = true;
  m_delay.stop();
}

void BackgroundCheck::request() {
  if (m_resting) return;
  ++m_wanted;
  if (!m_delay.isActive()) m_delay.start();
}

void BackgroundCheck::setDataProblems(std::vector<Problem> problems) {
  if (problems.empty() && m_dataProblems.empty()) return;
  m_dataProblems = std::move(problems);
  request();
}

void BackgroundCheck::start() {
  if (m_running) return;  // When it ends, it starts the next one.
  m_running = true;
  // Queued to the application object: if the document is closed meanwhile, the result is dropped
  // there.
  QPointer<BackgroundCheck> self(this);
  QThreadPool::globalInstance()->start([self, number = m_wanted, graph = m_document.graph(),
                                        &catalog = m_document.catalog(), base = m_document.base(),
                                        read = m_document.readProblems(), data = m_dataProblems] {
    auto result = check(graph, catalog, base, read, data);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, number, result = std::move(result)] {
          if (self) self->take(number, result);
        },
        Qt::QueuedConnection);
  });
}

void BackgroundCheck::take(std::uint64_t number, std::shared_ptr<const CheckResult> result) {
  m_running = false;
  m_result = std::move(result);
  m_finished = number;
  if (!isCurrent()) start();
  emit finished();
}

const StreamType* BackgroundCheck::streamAfter(const NodeId& id) const {
  for (const NodeStream& stream : m_result->streams)
    if (stream.id == id) return &stream.out;
  return nullptr;
}

int BackgroundCheck::count(Severity severity) const {
  return static_cast<int>(
      std::ranges::count(m_result->problems.all(), severity, &Problem::severity));
}

}  // namespace millrace
