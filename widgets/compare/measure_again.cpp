// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/measure_again.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/wait_text.h"
#include "widgets/runs/run_table_view.h"
#include "widgets/runs/verdict_words.h"

namespace millrace {

namespace {

constexpr int kPaceMs = 250;
constexpr int kBarSteps = 1000;

}  // namespace

/// The verdict, drawn as in the table of runs.
class VerdictChip final : public QWidget {
 public:
  void show(VerdictKind kind, const QString& text) {
    m_kind = kind;
    m_text = text;
    setFixedSize(150, 24);
    setVisible(true);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintVerdict(painter, QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5), m_kind, m_text);
  }

 private:
  VerdictKind m_kind = VerdictKind::TooFew;
  QString m_text;
};

namespace {

/// The words of the table, for a verdict as it was read from a result.
QString wordsOf(const VerdictSummary& summary) {
  Verdict verdict;
  verdict.kind = summary.kind;
  verdict.how = MeasuredHow::Together;
  if (!summary.repeats.empty()) verdict.repeatsA = verdict.repeatsB = summary.repeats.front();
  return shownVerdict(verdict);
}

}  // namespace

MeasureAgain::MeasureAgain(StoreThread& store, const Catalog& catalog, QWidget* parent)
    : QFrame(parent),
      m_store(store),
      m_catalog(catalog),
      m_verdict(new VerdictChip),
      m_words(new QLabel),
      m_bar(new QProgressBar),
      m_allow(new QPushButton("Run it")),
      m_stop(new QPushButton("Stop")),
      m_close(new QPushButton("Close")) {
  setProperty("note", "info");
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 4, 8, 4);
  row->setSpacing(10);
  row->addWidget(m_verdict);
  row->addWidget(m_words, 1);
  m_words->setWordWrap(true);
  m_words->setTextFormat(Qt::PlainText);
  m_bar->setMaximumWidth(320);
  m_bar->setTextVisible(false);
  m_pace.setInterval(kPaceMs);
  connect(&m_pace, &QTimer::timeout, this, &MeasureAgain::showPace);
  row->addWidget(m_bar, 1);
  row->addWidget(m_allow);
  row->addWidget(m_stop);
  row->addWidget(m_close);
  m_allow->setObjectName("measure_allow");
  m_verdict->hide();
  hide();
  connect(m_allow, &QPushButton::clicked, this, [this] {
    allow(m_asked);
    begin();
    emit stateChanged();
  });
  connect(m_stop, &QPushButton::clicked, this, &MeasureAgain::stop);
  connect(m_close, &QPushButton::clicked, this, &QFrame::hide);
  connect(&m_job, &EngineJob::heard, this, &MeasureAgain::take);
  connect(&m_job, &EngineJob::ended, this, &MeasureAgain::showEnd);
}

void MeasureAgain::take(const StreamEvent& event) {
  if (const auto* progress = std::get_if<ProgressEvent>(&event.content))
    showProgress(static_cast<int>(progress->done), static_cast<int>(progress->of),
                 progress->secondsLeft.value_or(-1));
  if (const auto* waiting = std::get_if<WaitingEvent>(&event.content))
    showWait(waiting->phase.secondsLeft);
  if (const auto* block = std::get_if<BlockEvent>(&event.content))
    if (block->replaced) noteReplaced(*block);
  if (const auto* result = std::get_if<ResultEvent>(&event.content))
    m_result = readComparison(result->json);
}

QString MeasureAgain::words() const { return isHidden() ? QString() : m_words->text(); }

void MeasureAgain::showText(const QString& words, bool running) {
  m_words->setText(words);
  m_allow->hide();
  m_bar->setVisible(running);
  m_stop->setVisible(running);
  m_stop->setEnabled(running);
  m_close->setVisible(!running);
  show();
}

void MeasureAgain::start(RunNumber a, RunNumber b) {
  if (isRunning()) return;
  m_verdict->hide();
  m_verdictKind.clear();
  if (const QString why = m_obstacle ? m_obstacle() : QString(); !why.isEmpty())
    return showText(why, false);
  m_numberA = QString::number(static_cast<std::int64_t>(a));
  m_numberB = QString::number(static_cast<std::int64_t>(b));
  m_pair = QString("%1 and %2").arg(m_numberA, m_numberB);
  m_isPreparing = true;
  m_end.reset();
  lookForCode(a, b);
  showText("Measuring " + m_pair + " together: preparing both", true);
  emit stateChanged();
}

void MeasureAgain::lookForCode(RunNumber a, RunNumber b) {
  m_store.ask<std::vector<UserCode>>(
      this, {},
      [a, b, &catalog = m_catalog](RunStore& store) -> Result<std::vector<UserCode>> {
        std::vector<UserCode> all;
        for (const RunNumber run : {a, b}) {
          MILLRACE_ASSIGN_OR_RETURN(const auto json, store.pipelineJson(run));
          const ReadGraph read = parseGraph(json, catalog);
          if (!read.graph) continue;
          // Kept pipelines have absolute paths.
          for (const UserCode& code : userCode(*read.graph, catalog, "/"))
            if (std::ranges::find(all, code) == all.end()) all.push_back(code);
        }
        return all;
      },
      [this, number = ++m_starts](const StoreAnswer<std::vector<UserCode>>& answer) {
        if (number != m_starts) return;
        // Of a run that cannot be read, the engine says why.
        if (!answer.value || answer.value->empty()) return beginOrAsk({});
        doFileWork(*this, [this, number, code = *answer.value] {
          return [this, number, unanswered = notAllowed(code)] {
            if (number == m_starts) beginOrAsk(unanswered);
          };
        });
      });
}

void MeasureAgain::beginOrAsk(const std::vector<UserCode>& unanswered) {
  m_isPreparing = false;
  if (unanswered.empty()) return begin();
  m_asked = unanswered;
  showText(questionAbout(unanswered), false);
  m_allow->show();
  emit stateChanged();
}

void MeasureAgain::begin() {
  m_bar->setRange(0, 0);
  m_left = -1;
  m_sinceStart.start();
  m_pace.start();
  showText("Measuring " + m_pair + " together: preparing both", true);
  m_result.reset();
  m_replaced = 0;
  m_disturbance.clear();
  m_job.start({"compare",
               "The comparison",
               {},
               {},
               {},
               QStringList{m_numberA, m_numberB, "--store", fileText(m_store.file())} + m_flags});
}

/// The answers that are still to come are dropped.
void MeasureAgain::endPreparing() {
  ++m_starts;
  m_isPreparing = false;
  showText("Stopped before the first block was measured.", false);
  emit stateChanged();
}

void MeasureAgain::stop() {
  if (m_isPreparing) return endPreparing();
  if (!m_job.isRunning()) return;
  m_job.stop();
  m_stop->setEnabled(false);
  m_words->setText("Stopping; completed blocks are kept.");
}

void MeasureAgain::showProgress(int done, int of, double secondsLeft) {
  if (m_job.isStopping()) return;
  QString words = QString("Measuring %1 together: block %2 of %3")
                      .arg(m_pair)
                      .arg(std::min(done + 1, of))
                      .arg(of);
  if (secondsLeft >= 0)
    words += ", " + toQt(humanSeconds(std::round(secondsLeft))).replace(' ', kNoBreak) + " left";
  if (m_replaced > 0)
    words += "; " + shownCount(m_replaced, "disturbed block") + " measured again" + m_disturbance;
  m_progress = words;
  m_words->setText(words);
  m_left = secondsLeft;
  m_sinceProgress.start();
  showPace();
  emit kept();
}

/// Between two reports the time goes on: a block takes long enough for the bar to seem stuck.
void MeasureAgain::showPace() {
  const std::optional<double> share = done();
  if (!share || m_job.isStopping()) return;
  m_bar->setRange(0, kBarSteps);
  m_bar->setValue(static_cast<int>(kBarSteps * *share));
}

std::optional<double> MeasureAgain::done() const {
  if (m_left < 0) return std::nullopt;
  const auto seconds = [](const QElapsedTimer& since) {
    return static_cast<double>(since.elapsed()) / 1e3;
  };
  return doneShare(seconds(m_sinceStart), seconds(m_sinceProgress), m_left);
}

double doneShare(double elapsed, double sinceReport, double leftThen) {
  const double left = std::max(0.0, leftThen - sinceReport);
  // The report may be too short: the bar is full at the end only.
  return std::min(0.99, elapsed / std::max(1e-3, elapsed + left));
}

/// While a wait lasts, its text follows the block's progress.
void MeasureAgain::showWait(double mostSeconds) {
  if (m_job.isStopping()) return;
  const QString wait = waitText(mostSeconds);
  m_words->setText(wait.isEmpty() ? m_progress : m_progress + "; " + wait);
}

void MeasureAgain::noteReplaced(const BlockEvent& block) {
  ++m_replaced;
  const QString why = toQt(block.disturbance);
  if (m_disturbance.isEmpty() && !why.isEmpty()) m_disturbance = " (" + why + ')';
}

QString MeasureAgain::verdictSentence() const {
  // The engine calls the two sides A and B.
  static const QRegularExpression sideA("\\bA\\b");
  static const QRegularExpression sideB("\\bB\\b");
  if (!m_result || !m_result->verdict) return {};
  QString words = toQt(m_result->verdict->sentence);
  words.replace(sideB, "run " + m_numberB).replace(sideA, "run " + m_numberA);
  return sentence(fromQt(words));
}

QStringList MeasureAgain::keptRuns() const {
  if (!m_result) return {};
  QStringList runs;
  for (const ComparisonSummary::Side* side : {&m_result->a, &m_result->b})
    if (!side->runId.empty()) runs << toQt(side->runId);
  return runs;
}

void MeasureAgain::showEnd(const ChildEnd& end) {
  m_pace.stop();
  m_end = end;
  const bool failed = end.kind == ChildEnd::Kind::Failed;
  const bool stopped = end.kind == ChildEnd::Kind::Stopped;
  if (!failed && m_result && m_result->verdict) m_verdictKind = wordsOf(*m_result->verdict);
  QString words = failed ? end.sentence : verdictSentence();
  if (stopped)
    words = m_verdictKind.isEmpty() ? QString("Stopped before the first block was measured.")
                                    : "Stopped. " + words;
  if (m_result && !m_result->disturbance.empty()) words += ' ' + sentence(m_result->disturbance);
  const QStringList runs = keptRuns();
  if (runs.size() == 2) words += QString(" Kept as runs %1 and %2.").arg(runs[0], runs[1]);
  showText(words, false);
  if (!m_verdictKind.isEmpty()) m_verdict->show(m_result->verdict->kind, m_verdictKind);
  emit kept();
  emit stateChanged();
  if (runs.size() == 2)
    emit measured({RunNumber{runs[0].toLongLong()}, RunNumber{runs[1].toLongLong()}});
}

}  // namespace millrace
