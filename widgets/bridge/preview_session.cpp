// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/preview_session.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include <QJsonDocument>
#include <QJsonObject>

#include "widgets/bridge/engine_program.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// Sixteen rows of pictures, times plenty.
constexpr std::size_t kLineBytes = std::size_t{64} << 20U;
/// A child that dies once over a wish may have been ended from outside; twice, it is the wish.
constexpr int kMostDeaths = 2;

QByteArray requestLine(qint64 id, const PreviewWish& wish) {
  QJsonObject rest{{"base", fileText(wish.base)}, {"node", toQt(wish.node)}};
  QByteArray line = "{\"id\":" + QByteArray::number(id);
  // A JSON text has line breaks between its parts alone, never inside a string.
  line += ",\"pipeline\":" + QByteArray::fromStdString(wish.pipeline).replace('\n', ' ');
  if (wish.seed) line += ",\"seed\":" + QByteArray::number(*wish.seed);
  line += ",\"first\":" + QByteArray::number(wish.first);
  line += ",\"count\":" + QByteArray::number(wish.count);
  line += ",\"side\":" + QByteArray::number(wish.side) + ',';
  return line + QJsonDocument(rest).toJson(QJsonDocument::Compact).mid(1) + '\n';
}

}  // namespace

PreviewSession::PreviewSession(QObject* parent) : QObject(parent) {
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, &PreviewSession::impatient);
}

PreviewSession::~PreviewSession() {
  endChild();
  for (QProcess* killed : findChildren<QProcess*>()) killed->waitForFinished(1000);
}

void PreviewSession::wish(const PreviewWish& wish) {
  if (m_wish == wish) return;
  m_wish = wish;
  begin();
}

void PreviewSession::begin() {
  m_sent.reset();  // What it answers from now on is out of date.
  m_open = true;
  m_deaths = 0;
  m_fresh = 0;
  if (!m_paused) show(State::Working);
  advance();
}

void PreviewSession::lookCloser(const PreviewWish& wish) {
  m_closer = wish;
  advance();
}

void PreviewSession::retry() {
  if (m_wish) begin();
}

void PreviewSession::setPaused(bool paused) {
  if (m_paused == paused) return;
  m_paused = paused;
  if (paused && (m_sent || m_open)) endChild();
  if (paused) {
    show(State::Paused, "Paused while the run goes on: it would take time from what is measured.");
    return;
  }
  // A failure is tried again: what it was about may be mended by now.
  if (m_wish && m_samples.empty()) m_open = true;
  show(m_open ? State::Working : State::Idle);
  advance();
}

void PreviewSession::rest() {
  endChild();
  m_wish.reset();
  m_closer.reset();
  m_open = false;
  m_samples.clear();
  m_fresh = 0;
  if (!m_paused) show(State::Idle);
}

void PreviewSession::advance() {
  if (m_paused) return;
  const bool isWish = m_open && m_wish;
  const PreviewWish* next = isWish ? &*m_wish : (m_closer && !m_sent ? &*m_closer : nullptr);
  if (next == nullptr || (m_sent && m_sent->wish == *next)) return;
  if (!m_process && !launch()) return;
  // What the child has not taken yet is not added to: it gets the newest once it reads again.
  if (m_process->state() == QProcess::Running && m_process->bytesToWrite() == 0)
    send(*next, !isWish);
  else if (!m_timer.isActive())
    m_timer.start(m_patience.slowMs);
}

void PreviewSession::send(const PreviewWish& wish, bool isCloser) {
  m_sent = Sent{++m_lastId, isCloser, wish};
  m_process->write(requestLine(m_lastId, wish));
  m_timer.start(m_patience.slowMs);
  if (!isCloser) show(State::Working);
}

bool PreviewSession::launch() {
  m_pipe = std::make_unique<SlicePipe>(digestFor(this));
  const QString program = m_program.isEmpty() ? engineProgram() : m_program;
  if (program.isEmpty() || !m_pipe->ok()) {
    m_pipe.reset();
    fail(program.isEmpty() ? "The engine `millrace` is missing: it is neither beside the workbench "
                             "nor on the PATH. Install both from one package."
                           : "The preview could not start: this program has too many open files.");
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
          [this] { keepLastWords(m_words, *m_process); });
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
                          ? QString("was ended by %1").arg(signalWords(m_process->exitCode()))
                          : QString("ended by itself (exit code %1)").arg(m_process->exitCode());
  return QString("The preview's engine %1.%2 The next edit starts it again.")
      .arg(how, words.isEmpty()
                    ? QString()
                    : " Its last words: " + millrace::sentence(fromQt(words.section('\n', -1))));
}

void PreviewSession::childEnded() {
  const QString sentence = deathSentence();
  const bool atWork = m_sent.has_value() || m_open;
  const bool wasCloser = m_sent && m_sent->isCloser;
  endChild();
  // One that dies while it has nothing to do is replaced when it is needed.
  if (!atWork) return;
  if (wasCloser) m_closer.reset();
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
  // Gone with its end, and at the latest with this: a killed child does not keep anyone waiting.
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
      if (auto answer = parsePreviewAnswer(line))
        slice->answers.push_back(std::move(*answer));
      else
        complain(line);
    });
    if (!fits) complain("a line longer than 64 MB");
    return [session, slice] { session->take(*slice); };
  };
}

void PreviewSession::take(const Slice& slice) {
  for (const PreviewAnswer& answer : slice.answers) take(answer);
  if (slice.badLine.isEmpty() || !m_process) return;
  endChild();
  m_closer.reset();
  fail("What answered is no engine of this program: " + slice.badLine.trimmed() +
       ". Install the workbench and the engine from one package.");
}

void PreviewSession::take(const PreviewAnswer& answer) {
  if (!m_sent || answer.id != m_sent->id) return;
  switch (answer.kind) {
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
      if (!isCloser) fail(millrace::sentence(fromQt(answer.error)));
      break;
    }
    case PreviewAnswer::Kind::Stale:
    case PreviewAnswer::Kind::Other: break;
  }
}

void PreviewSession::place(const ShownSample& sample) {
  const PreviewWish& wish = m_sent->wish;
  // In order, each once: anything else is none of ours.
  if (sample.place != wish.first + m_fresh || m_fresh >= static_cast<std::size_t>(wish.count))
    return;
  // A wish that came meanwhile starts anew.
  if (m_wish != wish) return;
  if (m_fresh < m_samples.size())
    m_samples[m_fresh] = sample;
  else
    m_samples.push_back(sample);
  ++m_fresh;
  show(State::Working);
}

void PreviewSession::served() {
  const Sent sent = *std::exchange(m_sent, std::nullopt);
  m_timer.stop();
  m_deaths = 0;
  if (sent.isCloser) {
    if (m_closer == sent.wish) m_closer.reset();
  } else if (m_wish == sent.wish) {
    m_open = false;
    m_samples.resize(m_fresh);
    show(State::Idle);
  }
  advance();
}

void PreviewSession::impatient() {
  if (m_state != State::Slow && m_patience.giveUpMs > m_patience.slowMs) {
    show(State::Slow, "The engine is still at it: it lists the data or makes sample data.");
    m_timer.start(m_patience.giveUpMs - m_patience.slowMs);
    return;
  }
  endChild();
  m_closer.reset();
  fail(QString("The preview's engine gave no sample for %1 s and was ended. Try again, or preview "
               "a node nearer to the source.")
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
