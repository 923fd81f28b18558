// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/advice_panel.h"

#include <QApplication>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/charts/diagnosis_view.h"
#include "widgets/charts/rich_text.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

using Kind = LiveFinding::Kind;

constexpr double kLeastWordingStep = 0.9;  ///< s, between two updates of one finding's text

QString headlineOf(const LiveRun& run, const LiveFinding& found) {
  const bool over = run.isOver();
  switch (found.kind) {
    case Kind::Waiting:
      return over ? "The run was too short to tell what limits it"
                  : "What limits the run will be shown after 3\u00A0s";
    case Kind::CannotTell:
      return over ? "The limit of this run could not be determined"
                  : "The limit of this run cannot be determined";
    default:
      return run.titleOf(found.node) + (over ? " limited " : " limits ") +
             (run.runId().isEmpty() || !over ? QString("this run") : run.label().toLower());
  }
}

QStringList evidenceOf(const LiveRun& run, const LiveFinding& found) {
  QStringList lines;
  for (const LiveEvidence& evidence : found.evidence) {
    QString line = toQt(sentenceOf(evidence, fromQt(run.titleOf(evidence.subject))));
    lines << line.replace(" %", kNoBreak + QString("%"));
  }
  if (found.kind == Kind::CannotTell && lines.size() > 1)
    lines << QString("Either of them above 80%1% for the last 5%1s would settle it.").arg(kNoBreak);
  return lines;
}

QString plainList(const QStringList& lines) {
  QStringList escaped;
  for (const QString& line : lines) escaped << line.toHtmlEscaped();
  return htmlList(escaped);
}

/// The canvas's ring, as a mark.
QPixmap ringMark() {
  const double scale = qApp->devicePixelRatio();
  QPixmap mark(QSize(20, 16) * scale);
  mark.setDevicePixelRatio(scale);
  mark.fill(Qt::transparent);
  QPainter painter(&mark);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme()[Tone::Bottleneck], 3));
  painter.drawRoundedRect(QRectF(2, 2, 15, 12), 4, 4);
  return mark;
}

QFrame* card(QLabel* content, const char* note) {
  auto* frame = new QFrame;
  frame->setProperty("note", note);
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(12, 10, 12, 10);
  column->addWidget(content);
  frame->hide();
  return frame;
}

}  // namespace

AdvicePanel::AdvicePanel(QWidget* parent)
    : RunView(parent),
      m_card(new QFrame),
      m_icon(new QLabel),
      m_headline(richLabel()),
      m_lines(richLabel()),
      m_end(richLabel()),
      m_silence(richLabel()),
      m_diagnosis(new DiagnosisView) {
  m_endCard = card(m_end, "error");
  m_silenceCard = card(m_silence, "warning");
  m_card->setObjectName("adviceCard");
  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(m_icon, 0, Qt::AlignTop);
  head->addWidget(m_headline, 1);
  auto* inner = new QVBoxLayout(m_card);
  inner->setContentsMargins(14, 12, 14, 8);
  inner->setSpacing(4);
  inner->addLayout(head);
  inner->addWidget(m_lines);
  connect(m_headline, &QLabel::linkActivated, this, &AdvicePanel::nodeRequested);
  connect(m_diagnosis, &DiagnosisView::nodeRequested, this, &AdvicePanel::nodeRequested);
  connect(m_diagnosis, &DiagnosisView::reported, this, &AdvicePanel::showHint);

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(10);
  for (QWidget* widget : {m_endCard, m_silenceCard, m_card}) column->addWidget(widget);
  column->addWidget(m_diagnosis);
  column->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(scroll);
  setAccessibleName("Advice");
  AdvicePanel::forget();
}

void AdvicePanel::forget() {
  m_shown.reset();
  m_evidence.clear();
  m_headline->setText("Press F5 to run the pipeline. What limits it will be shown here.");
  m_lines->hide();
  m_icon->clear();
  m_card->setStyleSheet({});
  showHint();
  m_end->clear();
  m_endCard->hide();
}

/// Shows how to find out what limits a run, unless a diagnosis already says it.
void AdvicePanel::showHint() { m_card->setVisible(m_shown || !m_diagnosis->report()); }

void AdvicePanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) m_shown.reset();
  RunView::changeEvent(event);
}

void AdvicePanel::refresh(const LiveRun& run, const std::optional<TimeSpan>&) {
  if (!isVisible() || run.state() == LiveRun::State::None) return;
  showFinding(run);
  showEnd(run);
}

void AdvicePanel::showFinding(const LiveRun& run) {
  const LiveFinding found = run.finding();
  // Laying out the text five times a second would cost more than it is worth.
  const double since = run.now() - m_shownAt;
  const bool same = m_shown && m_shown->kind == found.kind && m_shown->node == found.node;
  if (same && !run.isOver() && since >= 0 && since < kLeastWordingStep) return;
  m_shownAt = run.now();
  m_shown = found;
  m_card->show();
  const bool limits = found.kind == Kind::Region || found.kind == Kind::Consumer;
  m_evidence = evidenceOf(run, found);
  const QString headline = headlineOf(run, found).toHtmlEscaped();
  const QString colour = theme()[Tone::Text].name();
  const QString html =
      limits ? QString("<a style='color:%1; text-decoration:none' href='%2'><b>%3</b></a>")
                   .arg(colour, toQt(found.node).toHtmlEscaped(), headline)
             : "<b>" + headline + "</b>";
  const QString lines = plainList(m_evidence);
  const QString sheet =
      limits ? QString(
                   "#adviceCard { background: %1; border: 1px solid %2; border-radius: 6px; }"
                   "#adviceCard QLabel { background: transparent; }")
                   .arg(theme()[Tone::BottleneckSoft].name(), theme()[Tone::Bottleneck].name())
             : QString(
                   "#adviceCard { background: %1; border: 1px solid %2; border-radius: 6px; }"
                   "#adviceCard QLabel { background: transparent; }")
                   .arg(theme()[Tone::Base].name(), theme()[Tone::Border].name());
  if (html != m_headline->text()) m_headline->setText(html);
  if (lines != m_lines->text()) m_lines->setText(lines);
  // Setting an unchanged style sheet again would cost a layout.
  if (sheet != m_card->styleSheet()) {
    m_card->setStyleSheet(sheet);
    m_icon->setPixmap(limits ? ringMark() : icon("help", Tone::Text2).pixmap(16, 16));
  }
  m_lines->setVisible(!m_evidence.isEmpty());
}

void AdvicePanel::showEnd(const LiveRun& run) {
  QString html;
  if (run.end() && !run.end()->sentence.isEmpty()) {
    html = richSentence(fromQt(run.end()->sentence));
    const QString last = run.end()->lastOutput;
    if (!last.isEmpty() && !run.end()->sentence.contains(last.section('\n', -1)))
      html += "<p>Its last output:<br><code>" + last.toHtmlEscaped().replace('\n', "<br>") +
              "</code></p>";
  }
  if (run.end() && !run.end()->notKept.isEmpty())
    html += "<p>" + run.end()->notKept.toHtmlEscaped() + "</p>";
  if (html != m_end->text()) m_end->setText(html);
  m_endCard->setVisible(!html.isEmpty());
}

void AdvicePanel::setSilence(const QString& sentence) {
  m_silence->setText(sentence.toHtmlEscaped());
  m_silenceCard->setVisible(!sentence.isEmpty());
}

QString AdvicePanel::headline() const {
  QString text = m_headline->text();
  static const QRegularExpression marks("<[^>]*>");
  return text.remove(marks);
}

QString AdvicePanel::endText() const { return m_end->text(); }

}  // namespace millrace
