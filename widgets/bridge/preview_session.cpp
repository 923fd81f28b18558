// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/preview_session.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// Sixteen rows of pictures, with ample reserve.
constexpr std::size_t kLineBytes = std::size_t{64} << 20U;
/// A child that dies once during a request may have been ended from outside. If it dies twice, the
/// request is the cause.
constexpr int kMostDeaths = 2;

}  // namespace

PreviewSession::PreviewSession(QObject* parent) : QObject(parent) {
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &PreviewSession::impatient);
}

PreviewSession::~PreviewSession() {
  endChild();
  for (QProcess* killed : findChildren<QProcess*>()) killed->waitForFinished(1000);
}

void PreviewSession::request(const PreviewRequest& request) {
  if (m_request == request) return;
  m_request = request;
  begin();
}

void PreviewSession::begin() {
  m_sent.reset();  // Its answers are out of date from now on.
  m_open = true;
  m_deaths = 0;
  m_fresh = 0;
  if (!m_paused) show(State::Working);
  advance();
}

void PreviewSession::requestLarger(std::vector<PreviewRequest> requests) {
  m_closers = std::move(requests);
  advance();
}

void PreviewSession::retry() {
  if (m_request) begin();
}

void PreviewSession::setPaused(bool paused) {
  if (m_paused == paused) return;
  m_paused = paused;
  if (paused && (m_sent || m_open)) endChild();
  if (paused) {
    show(State::Paused, "Paused while the run goes on: it would disturb the measurement.");
    return;
  }
  // A failed request is tried again: its cause may be gone by now.
  if (m_request && m_samples.empty()) m_open = true;
  show(m_open ? State::Working : State::Idle);
  advance();
}

void PreviewSession::rest() {
  endChild();
  m_request.reset();
  m_closers.clear();
  m_open = false;
  m_samples.clear();
  m_fresh = 0;
  if (!m_paused) show(State::Idle);
}

void PreviewSession::advance() {
  if (m_paused) return;
  const bool isRequest = m_open && m_request;
  const PreviewRequest* next =
      isRequest ? &*m_request : (!m_closers.empty() && !m_sent ? &m_closers.front() : nullptr);
  if (next == nullptr || (m_sent && m_sent->request == *next)) return;
  if (!m_process && !launch()) return;
  // Requests do not queue up: the child gets the newest one when it has read the one before.
  if (m_process->state() == QProcess::Running && m_process->bytesToWrite() == 0)
    send(*next, !isRequest);
  else if (!m_timer.isActive())
    m_timer.start(m_patience.slowMs);
}

void PreviewSession::send(const PreviewRequest& request, bool isCloser) {
  m_sent = Sent{++m_lastId, isCloser, request};
  m_process->write(QByteArray::fromStdString(previewRequestLine(m_lastId, request) + '\n'));
  m_timer.start(m_patience.slowMs);
  if (!isCloser) show(State::Working);
}

bool PreviewSession::launch() {
  m_pipe = std::make_unique<SlicePipe>(digestFor(this));
  const QString program = m_program.isEmpty() ? engineProgram() : m_program;
  if (program.isEmpty() || !m_pipe->ok()) {
    m_pipe.reset();
    fail(program.isEmpty()
             ? noEngineText()
             : QString("The preview could not start: this program has too many open files."));
    return false;
  }
  m_words.clear();
  m_process = std::make_unique<QProcess>();
  QProcess* process = m_process.get();
  process->setProgram(program);
  process->setArguments({"preview", "--serve"});
  process->setStandardOutputFile(QProcess::nullDevice());
  process->setChildProcessModifier([end = m_pipe->writeEnd()] { ::dup2(end, STDOUT_FILENO); });
  connect(process, &QProcess::started, this, [this] {
    m_pipe->closeWriteEnd();
    advance();
  });
  connect(process, &QProcess::bytesWritten, this, &PreviewSession::advance);
  connect(process, &QProcess::readyReadStandardError, this,
          [this] { keepLastOutput(m_words, *m_process); });
  connect(process, &QProcess::finished, this,
          [this] { m_pipe->isOpen() ? m_pipe->finish() : childEnded(); });
  connect(m_pipe.get(), &SlicePipe::ended, this, [this] {
    if (m_process && m_process->state() == QProcess::NotRunning) childEnded();
  });
  connect(process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    const QString reason = m_process->errorString();
    const QString name = m_process->program();
    endChild();
    fail(QString("The engine %1 did not start: %2.").arg(name, reason));
  });
  process->start();
  return m_process != nullptr;
}

QString PreviewSession::deathSentence() const {
  const QString words = lastLinesOf(m_words);
  const QString how = m_process->exitStatus() == QProcess::CrashExit
                          ? QString("was ended by %1").arg(signalText(m_process->exitCode()))
                          : QString("ended (exit code %1)").arg(m_process->exitCode());
  return QString("The preview's engine %1.%2 The next edit starts it again.")
      .arg(how, words.isEmpty()
                    ? QString()
                    : " Its last message: " + millrace::sentence(fromQt(words.section('\n', -1))));
}

void PreviewSession::childEnded() {
  const QString sentence = deathSentence();
  const bool atWork = m_sent.has_value() || m_open;
  const bool wasCloser = m_sent && m_sent->isCloser;
  endChild();
  // A child that dies while idle is replaced when it is needed.
  if (!atWork) return;
  if (wasCloser) m_closers.clear();
  if (++m_deaths >= kMostDeaths)
    fail(sentence);
  else
    advance();
}

void PreviewSession::endChild() {
  m_timer.stop();
  m_sent.reset();
  if (m_pipe) {
    m_pipe->disconnect(this);
    m_pipe->close();
    m_pipe.release()->deleteLater();
  }
  if (!m_process) return;
  QProcess* process = m_process.release();
  process->disconnect(this);
  // Deleted when it ends, at the latest with this object: nothing waits for a killed child.
  process->setParent(this);
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  if (process->state() == QProcess::NotRunning)
    process->deleteLater();
  else
    process->kill();
}

SlicePipe::Digest PreviewSession::digestFor(PreviewSession* session) {
  return [session, lines = std::make_shared<LineCutter>()](const QByteArray& bytes) {
    auto slice = std::make_shared<Slice>();
    const auto complain = [&](std::string_view line) {
      constexpr std::size_t kShown = 80;
      if (slice->badLine.isEmpty()) slice->badLine = toQt(line.substr(0, kShown)) + ' ';
    };
    const bool fits = lines->feed(bytes, kLineBytes, [&](std::string_view line) {
      if (auto answer = parsePreviewAnswer(line)) {
        ShownSample sample = shownSample(answer->sample);
        slice->answers.push_back({std::move(*answer), std::move(sample)});
      } else {
        complain(line);
      }
    });
    if (!fits) complain("a line longer than 64 MB");
    return [session, slice] { session->take(*slice); };
  };
}

void PreviewSession::take(const Slice& slice) {
  for (const Answer& answer : slice.answers) take(answer);
  if (slice.badLine.isEmpty() || !m_process) return;
  endChild();
  m_closers.clear();
  fail("The program that answered is not this program's engine: " + slice.badLine.trimmed() +
       ". Install the workbench and the engine from one package.");
}

void PreviewSession::take(const Answer& answer) {
  if (!m_sent || answer.line.id != m_sent->id) return;
  switch (answer.line.kind) {
    case PreviewAnswer::Kind::Sample:
      m_timer.start(m_patience.slowMs);
      if (m_sent->isCloser)
        emit closer(answer.sample);
      else
        place(answer.sample);
      break;
    case PreviewAnswer::Kind::Done: served(); break;
    case PreviewAnswer::Kind::Error: {
      const bool isCloser = m_sent->isCloser;
      served();
      if (!isCloser) fail(millrace::sentence(answer.line.error));
      break;
    }
    case PreviewAnswer::Kind::Stale:
    case PreviewAnswer::Kind::Other: break;
  }
}

void PreviewSession::place(const ShownSample& sample) {
  const PreviewRequest& request = m_sent->request;
  // Samples come in order, each once. Anything else belongs to an older request.
  if (sample.place != request.first + m_fresh || m_fresh >= static_cast<std::size_t>(request.count))
    return;
  // A newer request that came meanwhile starts from the beginning.
  if (m_request != request) return;
  if (m_fresh == m_samples.size()) m_samples.emplace_back();
  m_samples[m_fresh] = sample;
  m_samples[m_fresh].request = m_sent->id;
  ++m_fresh;
  show(State::Working);
}

void PreviewSession::served() {
  const Sent sent = *std::exchange(m_sent, std::nullopt);
  m_timer.stop();
  m_deaths = 0;
  if (sent.isCloser) {
    std::erase(m_closers, sent.request);
  } else if (m_request == sent.request) {
    m_open = false;
    m_samples.resize(m_fresh);
    show(State::Idle);
  }
  advance();
}

void PreviewSession::impatient() {
  if (m_state != State::Slow && m_patience.giveUpMs > m_patience.slowMs) {
    show(State::Slow,
         "The engine is still working: it is listing the data or generating sample data.");
    m_timer.start(m_patience.giveUpMs - m_patience.slowMs);
    return;
  }
  endChild();
  m_closers.clear();
  fail(
      QString(
          "The preview's engine delivered no sample for %1 s and was killed. Try again, or preview "
          "a node closer to the source.")
          .arg(m_patience.giveUpMs / 1000.0));
}

void PreviewSession::fail(const QString& sentence) {
  m_open = false;
  m_samples.clear();
  m_fresh = 0;
  show(State::Failed, sentence);
}

void PreviewSession::show(State state, const QString& sentence) {
  m_state = state;
  m_sentence = sentence;
  emit changed();
}

}  // namespace millrace
