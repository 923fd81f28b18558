// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/advice_panel.h"

#include <algorithm>

#include <QApplication>
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/charts/diagnosis_view.h"
#include "widgets/charts/rich_text.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

using Kind = LiveFinding::Kind;

constexpr double kLeastWordingStep = 0.9;  ///< s, between two updates of one finding's text

bool isKnown(const LiveFinding& found) {
  return found.kind == Kind::Region || found.kind == Kind::Consumer;
}

QString headlineOf(const LiveRun& run, const LiveFinding& found) {
  const bool over = run.isOver();
  const QString which =
      run.runId().isEmpty() || !over ? QString("this run") : run.label().toLower();
  if (run.keepsUp())
    return QString("The loader %1 up: %2 %3 %4")
        .arg(over ? "kept" : "keeps", run.titleOf(found.node), over ? "limited" : "limits", which);
  switch (found.kind) {
    case Kind::Waiting:
      if (over) return "The run was too short to tell what limits it";
      return run.isBrief() ? "What limits the run will be shown when it is over"
                           : "What limits the run will be shown after 3\u00A0s";
    case Kind::CannotTell:
      return over ? "The limit of this run could not be determined"
                  : "The limit of this run cannot be determined";
    default:
      return run.titleOf(found.node) +
             (!over           ? " limits "
              : run.isBrief() ? " probably limited "
                              : " limited ") +
             which;
  }
}

/// The figures of a node are also those of the nodes that were fused into it.
QString nameOf(const LiveRun& run, const LiveEvidence& evidence) {
  QString title = run.titleOf(evidence.subject);
  if (evidence.kind != LiveEvidence::Kind::NodeBusy) return title;
  const LiveLayout::Stage* stage = run.stageOf(evidence.subject);
  const auto fused = stage == nullptr
                         ? std::ptrdiff_t{0}
                         : std::ranges::count(stage->nodes, evidence.subject,
                                              [&](const auto& id) { return run.fusedInto(id); });
  return fused == 0 ? title
                    : QString("%1 with the %2 fused into it").arg(title, shownCount(fused, "node"));
}

/// How long all repeats were measured: "2 s", "0.3 s".
QString measuredFor(const LiveRun& run) {
  const double seconds = run.measured().countedSeconds;
  return QString::number(seconds, 'f', seconds < 1 ? 1 : 0) + kNoBreak + 's';
}

QStringList evidenceOf(const LiveRun& run, const LiveFinding& found) {
  QStringList lines;
  for (const LiveEvidence& evidence : found.evidence) {
    QString line = toQt(sentenceOf(evidence, fromQt(nameOf(run, evidence))));
    lines << line.replace(" %", kNoBreak + QString("%"));
  }
  if (run.keepsUp()) lines << "Only a faster step makes training faster.";
  if (run.isOver() && run.isBrief())
    lines << QString("It was measured for %1. A longer run tells more.").arg(measuredFor(run));
  if (found.kind == Kind::CannotTell && lines.size() > 1 && !run.isOver())
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
      m_stale(new NoteStrip("warning")),
      m_outcome(new NoteStrip("info")),
      m_changeCard(buildChange()),
      m_longer(new QPushButton("Measure longer")),
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
  inner->addWidget(m_changeCard);
  m_longer->setObjectName("measure_longer");
  m_longer->setIcon(icon("play"));
  m_longer->hide();
  inner->addWidget(m_longer, 0, Qt::AlignLeft);
  connect(m_longer, &QPushButton::clicked, this, &AdvicePanel::longerRequested);
  connect(m_headline, &QLabel::linkActivated, this, &AdvicePanel::nodeRequested);
  connect(m_diagnosis, &DiagnosisView::nodeRequested, this, &AdvicePanel::nodeRequested);
  connect(m_diagnosis, &DiagnosisView::reported, this, [this] {
    m_runIsNewer = !m_diagnosis->report();
    showCard();
  });

  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 12, 12, 12);
  column->setSpacing(10);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{m_endCard, m_silenceCard, m_outcome, m_stale, m_card})
    column->addWidget(widget);
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
  m_isOpen = false;
  m_neverBegan = false;
  m_evidence.clear();
  m_headline->setText("Press F5 to run the pipeline. What limits it will be shown here.");
  m_lines->hide();
  m_longer->hide();
  m_icon->clear();
  m_card->setStyleSheet({});
  setChange(std::nullopt);
  m_stale->say({});
  m_outcome->say({});
  showCard();
  m_end->clear();
  m_endCard->hide();
}

/// A diagnosis of the run that is shown says it all, and better.
void AdvicePanel::showCard() {
  m_card->setVisible(!m_neverBegan && (m_runIsNewer || !m_diagnosis->report()));
}

QFrame* AdvicePanel::buildChange() {
  auto* frame = new QFrame;
  frame->setObjectName("advisedChange");
  m_changeText = richLabel();
  m_apply = new QPushButton("Apply");
  m_apply->setObjectName("apply_change");
  m_apply->setIcon(icon("check"));
  connect(m_apply, &QPushButton::clicked, this, &AdvicePanel::applyRequested);
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(0, 6, 0, 4);
  column->addWidget(m_changeText);
  column->addWidget(m_apply, 0, Qt::AlignLeft);
  frame->hide();
  return frame;
}

void AdvicePanel::setChange(const std::optional<Change>& change) {
  if (change == m_change) return;
  m_change = change;
  m_changeCard->setVisible(change.has_value());
  if (m_shown) showHeadline();
  if (!change) return;
  showChangeText();
  m_apply->setVisible(!change->edit.isEmpty());
  m_apply->setEnabled(change->obstacle.isEmpty());
  m_apply->setToolTip(change->obstacle.isEmpty() ? "Applies the change as one undo step"
                                                 : change->obstacle);
}

/// The rules of a whole run may know a limit that those of a run going on do not.
bool AdvicePanel::isCauseAbove() const {
  return m_isOpen && m_change && !m_change->cause.isEmpty();
}

void AdvicePanel::showChangeText() {
  QStringList parts;
  if (!isCauseAbove() && !m_change->cause.isEmpty()) parts << m_change->cause + '.';
  if (!m_change->text.isEmpty()) parts << m_change->text;
  const QString edit =
      m_change->edit.isEmpty() ? QString() : "<b>" + m_change->edit.toHtmlEscaped() + "</b><br>";
  m_changeText->setText(edit + parts.join(' ').toHtmlEscaped());
}

void AdvicePanel::setStale(const QString& sentence) { m_stale->say(sentence); }
void AdvicePanel::setOutcome(const QString& sentence) { m_outcome->say(sentence); }
QString AdvicePanel::staleText() const { return m_stale->words(); }
QString AdvicePanel::outcomeText() const { return m_outcome->words(); }

void AdvicePanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) m_shown.reset();
  RunView::changeEvent(event);
}

void AdvicePanel::refresh(const LiveRun& run, const std::optional<TimeSpan>&) {
  if (!isVisible() || run.state() == LiveRun::State::None) return;
  if (!run.isOver()) m_runIsNewer = true;
  m_neverBegan = run.isOver() && !run.plan();
  showFinding(run);
  showEnd(run);
}

void AdvicePanel::showHeadline() {
  const QString headline = (isCauseAbove() ? m_change->cause : m_ownHeadline).toHtmlEscaped();
  const QString html =
      isKnown(*m_shown)
          ? QString("<a style='color:%1; text-decoration:none' href='%2'><b>%3</b></a>")
                .arg(theme()[Tone::Text].name(), toQt(m_shown->node).toHtmlEscaped(), headline)
          : "<b>" + headline + "</b>";
  if (html != m_headline->text()) m_headline->setText(html);
}

void AdvicePanel::showFinding(const LiveRun& run) {
  const LiveFinding found = run.finding();
  // Laying out the text five times a second would cost more than it is worth.
  const double since = run.now() - m_shownAt;
  const bool same = m_shown && m_shown->kind == found.kind && m_shown->node == found.node;
  if (same && !run.isOver() && since >= 0 && since < kLeastWordingStep) return;
  m_shownAt = run.now();
  m_shown = found;
  showCard();
  m_evidence = evidenceOf(run, found);
  m_isOpen = run.isOver() && !isKnown(found);
  m_ownHeadline = headlineOf(run, found);
  showHeadline();
  if (m_change) showChangeText();
  m_longer->setVisible(m_measures && run.isOver() && run.isBrief());
  const QString lines = plainList(m_evidence);
  if (lines != m_lines->text()) m_lines->setText(lines);
  m_lines->setVisible(!m_evidence.isEmpty());
  showLook(!isKnown(found) ? Look::Open : run.keepsUp() ? Look::KeepsUp : Look::Limits);
}

/// Orange is for what slows a run. A step that limits is what a loader is for.
void AdvicePanel::showLook(Look look) {
  const bool limits = look == Look::Limits;
  const QString sheet =
      QString(
          "#adviceCard { background: %1; border: 1px solid %2; border-radius: 6px; }"
          "#adviceCard QLabel { background: transparent; }")
          .arg(theme()[limits ? Tone::BottleneckSoft : Tone::Base].name(),
               theme()[limits ? Tone::Bottleneck : Tone::Border].name());
  // Setting an unchanged style sheet again would cost a layout.
  if (sheet == m_card->styleSheet() && look == m_look) return;
  m_look = look;
  m_card->setStyleSheet(sheet);
  const QIcon mark = look == Look::KeepsUp ? icon("check", Tone::Water) : icon("help", Tone::Text2);
  m_icon->setPixmap(limits ? ringMark() : mark.pixmap(16, 16));
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
