// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/diagnosis_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTextDocument>
#include <QVBoxLayout>

#include "widgets/charts/rich_text.h"
#include "widgets/charts/run_strip.h"
#include "widgets/charts/stall_bar.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/advice_edits.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/live/window_words.h"

namespace millrace {

namespace {

QString plain(const QLabel* label) {
  QTextDocument document;
  document.setHtml(label->text());
  return document.toPlainText();
}

QString gainOf(const DiagnosisReport::Advised& advised) {
  QStringList parts;
  if (const auto& predicted = advised.predicted)
    parts << "Predicted: " + shownPrediction(*predicted) + '.';
  if (const auto& measured = advised.measured)
    parts << QString("Measured: %1 times the rate (%2 to %3).")
                 .arg(measured->mean, 0, 'f', 2)
                 .arg(measured->least, 0, 'f', 2)
                 .arg(measured->most, 0, 'f', 2);
  return parts.isEmpty() ? QString("There is no prediction for this change.") : parts.join(' ');
}

}  // namespace

DiagnosisView::DiagnosisView(QWidget* parent)
    : QWidget(parent),
      m_begin(new QPushButton("Diagnose")),
      m_hint(richLabel("hint")),
      m_going(new QWidget),
      m_progress(richLabel("second")),
      m_bar(new QProgressBar),
      m_stop(new QPushButton("Stop")),
      m_failure(new NoteStrip("error")),
      m_found(new QWidget),
      m_stale(new NoteStrip("warning")),
      m_finding(richLabel()),
      m_stalls(new StallBar),
      m_also(richLabel()),
      m_advice(new QVBoxLayout),
      m_showHow(new QPushButton("How this was found")),
      m_how(richLabel("second")) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  m_begin->setObjectName("diagnose");
  m_begin->setIcon(icon("search"));
  m_hint->setText(
      "Runs the pipeline unmodified, then with one part removed at a time, then with the "
      "advised changes. Takes about a minute.");
  auto* head = new QHBoxLayout;
  head->addWidget(m_begin, 0, Qt::AlignTop);
  head->addWidget(m_hint, 1);
  column->addLayout(head);
  buildProgress(*column);
  column->addWidget(m_failure);
  buildReport(*column);
  connect(m_begin, &QPushButton::clicked, this, &DiagnosisView::diagnoseRequested);
  connect(m_stop, &QPushButton::clicked, this, &DiagnosisView::stopRequested);
}

void DiagnosisView::buildProgress(QVBoxLayout& column) {
  auto* row = new QHBoxLayout;
  auto* inner = new QVBoxLayout(m_going);
  inner->setContentsMargins(0, 0, 0, 0);
  m_bar->setTextVisible(false);
  m_bar->setAccessibleName("Progress of the diagnosis");
  m_stop->setObjectName("stop_diagnosis");
  row->addWidget(m_bar, 1);
  row->addWidget(m_stop);
  inner->addWidget(m_progress);
  inner->addLayout(row);
  m_going->hide();
  column.addWidget(m_going);
}

void DiagnosisView::buildReport(QVBoxLayout& column) {
  auto* inner = new QVBoxLayout(m_found);
  inner->setContentsMargins(0, 4, 0, 0);
  inner->setSpacing(8);
  m_advice->setSpacing(8);
  m_showHow->setObjectName("how");
  m_showHow->setProperty("link", true);
  m_showHow->setCheckable(true);
  inner->addWidget(m_stale);
  inner->addWidget(m_finding);
  inner->addWidget(m_stalls);
  inner->addLayout(m_advice);
  inner->addWidget(m_also);
  inner->addWidget(m_showHow, 0, Qt::AlignLeft);
  inner->addWidget(m_how);
  m_how->hide();
  m_found->hide();
  column.addWidget(m_found);
  connect(m_showHow, &QPushButton::toggled, m_how, &QWidget::setVisible);
  connect(m_finding, &QLabel::linkActivated, this, &DiagnosisView::nodeRequested);
}

void DiagnosisView::setObstacle(const QString& sentence) {
  m_begin->setEnabled(sentence.isEmpty() && m_going->isHidden());
  m_begin->setToolTip(sentence);
}

void DiagnosisView::showBegun() {
  m_failure->say({});
  m_found->hide();
  m_report.reset();
  m_begin->setEnabled(false);
  m_stop->setEnabled(true);
  m_bar->setRange(0, 0);
  m_progress->setText("The engine is checking the pipeline");
  m_going->show();
}

void DiagnosisView::showProgress(int done, int of, double secondsLeft, const QString& what) {
  QString text = QString("%1 of %2").arg(std::min(done + 1, of)).arg(of);
  if (!what.isEmpty()) text += ": " + what;
  if (secondsLeft >= 0) text += ", " + timeLeftText(secondsLeft);
  m_progress->setText(text.toHtmlEscaped());
  m_bar->setRange(0, std::max(1, of));
  m_bar->setValue(done);
}

void DiagnosisView::showStopping() {
  m_stop->setEnabled(false);
  m_progress->setText("Stopping; the results so far will be shown");
}

void DiagnosisView::showEnd(const ChildEnd& end) {
  m_going->hide();
  m_begin->setEnabled(true);
  m_begin->setText("Diagnose again");
  m_hint->setVisible(!m_report);
  if (end.kind == ChildEnd::Kind::Failed) m_failure->say(end.sentence);
  if (end.kind == ChildEnd::Kind::Stopped && !m_report)
    m_failure->say("Stopped before there were enough measurements for a result.");
}

void DiagnosisView::forgetReport() {
  m_found->hide();
  m_report.reset();
  m_failure->say({});
  m_begin->setText("Diagnose");
  m_hint->show();
  emit reported();
}

void DiagnosisView::setStale(const QString& sentence) { m_stale->say(sentence); }

QString DiagnosisView::staleText() const { return m_stale->words(); }

void DiagnosisView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_report) showFinding();
}

QString DiagnosisView::words(const QString& text) const {
  return windowWords(sentence(fromQt(text)), m_texts.title).toHtmlEscaped();
}

QString DiagnosisView::list(const QStringList& lines) const {
  QStringList sentences;
  for (const QString& line : lines) sentences << words(line);
  return htmlList(sentences);
}

void DiagnosisView::showFinding() {
  const DiagnosisReport& report = *m_report;
  const bool open = report.finding.confidence == Confidence::CannotTell;
  const QString headline = "<b>" + words(report.headline()).chopped(1) + "</b>";
  const QString node = toQt(report.finding.limit.node).toHtmlEscaped();
  QString html = open || node.isEmpty()
                     ? headline
                     : QString("<a style='color:%1; text-decoration:none' href='%2'>%3</a>")
                           .arg(theme()[Tone::Text].name(), node, headline);
  if (report.samplesPerSecond)
    html += QString("<br>%1: %2 samples/s unmodified")
                .arg(m_title.toHtmlEscaped(), shownRate(*report.samplesPerSecond));
  if (!report.whole) html += "<br>Stopped early: this is the result so far.";
  html += list(report.evidence);
  if (!report.finding.decides.empty())
    html += "<p>" + words(toQt(report.finding.decides + " would decide it")) + "</p>";
  m_finding->setText(html);
}

void DiagnosisView::showHow() {
  const DiagnosisReport& report = *m_report;
  QString html =
      "<table cellspacing='0' cellpadding='2'><tr><td></td><td align='right'>samples/s"
      "</td></tr>";
  for (const DiagnosisReport::Run& run : report.runs)
    html += QString("<tr><td>%1&nbsp;&nbsp;</td><td align='right'>%2</td></tr>")
                .arg(words(run.what).chopped(1), shownRate(run.samplesPerSecond));
  html += "</table>" + list(report.notes);
  if (!report.runId.isEmpty())
    html += "The unmodified pipeline's measurement is kept as run " + report.runId + '.';
  m_how->setText(html);
}

QFrame* DiagnosisView::adviceCard(std::size_t i) {
  const DiagnosisReport::Advised& advised = m_report->advice[i];
  const Advice& advice = advised.advice;
  auto* card = new QFrame;
  card->setProperty("note", "info");
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(12, 8, 12, 8);
  auto* text = richLabel();
  const bool edits = advice.edit != Advice::Edit::Words;
  QString html;
  if (edits && m_texts.edit) html = "<b>" + m_texts.edit(advice).toHtmlEscaped() + "</b><br>";
  html += words(toQt(advice.text));
  if (edits) html += "<br>" + gainOf(advised);
  if (!advice.costs.empty()) html += "<br>Cost: " + words(toQt(advice.costs));
  if (edits) html += "<br>" + meaningForTraining(advice.changes);
  text->setText(html);
  column->addWidget(text);
  if (!edits) return card;
  auto* row = new QHBoxLayout;
  auto* apply = new QPushButton("Apply");
  apply->setObjectName(QString("apply_%1").arg(i));
  apply->setIcon(icon("check"));
  row->addWidget(apply);
  connect(apply, &QPushButton::clicked, this, [this, advice] { emit applyRequested(advice); });
  if (advice.edit == Advice::Edit::Parameter) {
    auto* sweep = new QPushButton("Sweep…");
    sweep->setObjectName(QString("sweep_%1").arg(i));
    sweep->setIcon(icon("sweep"));
    sweep->setToolTip("Measure this parameter with several values");
    row->addWidget(sweep);
    connect(sweep, &QPushButton::clicked, this,
            [this, advice] { emit sweepRequested(toQt(advice.node), toQt(advice.param)); });
  }
  row->addStretch(1);
  column->addLayout(row);
  return card;
}

void DiagnosisView::showReport(const DiagnosisReport& report, const QString& title) {
  m_report = report;
  for (QFrame* card : m_cards) delete card;
  m_cards.clear();
  m_title = title;
  showFinding();
  m_stalls->setVisible(report.stalls.has_value());
  if (report.stalls) m_stalls->show(*report.stalls);
  for (std::size_t i = 0; i < report.advice.size(); ++i) {
    m_cards.push_back(adviceCard(i));
    m_advice->addWidget(m_cards.back());
  }
  const bool open = report.finding.confidence == Confidence::CannotTell;
  m_also->setText(report.also.isEmpty()
                      ? QString()
                      : (open ? "It is one of these:" : "Also:") + list(report.also));
  m_also->setVisible(!report.also.isEmpty());
  showHow();
  m_found->show();
  refreshAdvice();
  emit reported();
}

void DiagnosisView::refreshAdvice() {
  if (!m_report || !m_texts.obstacle) return;
  for (std::size_t i = 0; i < m_report->advice.size(); ++i) {
    QPushButton* apply = button(QString("apply_%1").arg(i));
    if (apply == nullptr) continue;
    const QString why = m_texts.obstacle(m_report->advice[i].advice);
    apply->setEnabled(why.isEmpty());
    apply->setToolTip(why.isEmpty() ? "Applies the change as one undo step" : why);
  }
}

QPushButton* DiagnosisView::button(const QString& name) const {
  return findChild<QPushButton*>(name);
}

QString DiagnosisView::progressText() const {
  return m_going->isHidden() ? QString() : plain(m_progress);
}
QString DiagnosisView::failureText() const { return m_failure->words(); }

QString DiagnosisView::reportText() const {
  if (!m_report) return {};
  QStringList parts = {plain(m_finding)};
  for (const QFrame* card : m_cards) parts << plain(card->findChild<QLabel*>());
  parts << plain(m_also) << plain(m_how);
  return parts.join('\n');
}

}  // namespace millrace
