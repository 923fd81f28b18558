// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/offer_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/start/chain_strip.h"
#include "widgets/start/offer_card.h"

namespace millrace {

namespace {

/// Adds one step of a run: symbol, title, details.
QLabel* addStep(QVBoxLayout& column, const QString& iconName) {
  auto* row = new QHBoxLayout;
  row->addWidget(new IconMark(iconName, Tone::Accent, 18), 0, Qt::AlignTop);
  row->addSpacing(8);
  auto* words = new QLabel;
  words->setWordWrap(true);
  row->addWidget(words, 1);
  column.addLayout(row);
  return words;
}

QString stepText(const QString& what, const QString& details) {
  return "<b>" + what.toHtmlEscaped() + "</b><br>" + details.toHtmlEscaped();
}

}  // namespace

OfferPanel::OfferPanel(QWidget* parent)
    : QFrame(parent),
      m_kind(new QLabel),
      m_title(new QLabel),
      m_chain(new ChainStrip),
      m_samplesLabel(new QLabel),
      m_words(new QLabel),
      m_note(new QFrame),
      m_noteText(new QLabel),
      m_bar(new QProgressBar),
      m_runButton(new QPushButton(icon("play", Tone::AccentText), "Run")),
      m_openButton(new QPushButton("Open without running")),
      m_examineButton(new QPushButton(icon("examine"), "Examine the data")),
      m_stopButton(new QPushButton(icon("stop"), "Stop")) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(8);
  m_kind->setProperty("role", "second");
  m_title->setFont(uiFont(20, true));
  m_title->setWordWrap(true);
  m_words->setWordWrap(true);
  m_words->setProperty("role", "second");
  column->addWidget(m_kind);
  column->addWidget(m_title);
  column->addWidget(m_chain);
  column->addWidget(m_samplesLabel);
  column->addWidget(m_words);
  m_data = addStep(*column, "decode");
  m_run = addStep(*column, "play");
  addStep(*column, "bulb")->setText(stepText("Shows what limits it", "with the evidence"));
  auto* noteRow = new QVBoxLayout(m_note);
  noteRow->setContentsMargins(10, 6, 10, 6);
  m_note->setProperty("note", "error");
  m_noteText->setWordWrap(true);
  noteRow->addWidget(m_noteText);
  column->addWidget(m_note);
  m_bar->setRange(0, 1000);
  m_bar->setTextVisible(false);
  m_bar->setFixedHeight(10);
  column->addSpacing(12);
  addButtons(*column);
  setProgress(-1, {});
  say({});
}

void OfferPanel::addButtons(QVBoxLayout& column) {
  auto* buttons = new QHBoxLayout;
  m_runButton->setProperty("primary", true);
  m_runButton->setMinimumWidth(96);
  m_runButton->setObjectName("start_run");
  m_openButton->setObjectName("start_open");
  m_examineButton->setObjectName("start_examine");
  m_examineButton->setToolTip("Looks for broken samples, copies and more in all of it");
  m_stopButton->setObjectName("start_stop");
  for (QPushButton* button : {m_runButton, m_stopButton, m_openButton}) buttons->addWidget(button);
  // In the place of a button, so that nothing moves when it appears.
  buttons->addWidget(m_bar, 100);
  buttons->addStretch(1);
  column.addLayout(buttons);
  column.addWidget(m_examineButton, 0, Qt::AlignLeft);
  connect(m_runButton, &QPushButton::clicked, this, &OfferPanel::runRequested);
  connect(m_openButton, &QPushButton::clicked, this, &OfferPanel::openRequested);
  connect(m_examineButton, &QPushButton::clicked, this, &OfferPanel::examineRequested);
  connect(m_stopButton, &QPushButton::clicked, this, &OfferPanel::stopRequested);
}

void OfferPanel::show(const StartOffer& offer, const Catalog& catalog) {
  m_offer = offer;
  m_kind->setText(offer.isOwn ? "Your folder" : "Selected example");
  m_title->setText(offer.title);
  m_chain->show(offer.graph, catalog);
  m_examineButton->setVisible(offer.isOwn);
  m_words->setText(offer.description);
  m_words->setVisible(offer.isOwn && !offer.description.isEmpty());
  setSamples({});
  setDrawn(true);
  setMeasureText(m_measure);
  say({});
}

void OfferPanel::setMeasureText(const QString& words) {
  m_measure = words;
  m_run->setText(stepText("Runs the pipeline", words));
}

void OfferPanel::setDrawn(bool drawn) {
  if (m_offer.isOwn)
    m_data->setText(stepText("Reads your folder", m_offer.data));
  else if (drawn)
    m_data->setText(stepText("Reads its own data", m_offer.data));
  else
    m_data->setText(
        stepText("Generates its own data first", m_offer.data + ", a few seconds, once"));
}

void OfferPanel::setSamples(const std::vector<ShownSample>& samples) {
  m_samplesLabel->setVisible(!samples.empty());
  if (samples.empty()) return;
  constexpr int kHeight = 110;
  const double ratio = devicePixelRatioF();
  QPixmap picture(QSize(std::max(200, width() - 32), kHeight) * ratio);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  paintSamples(painter, QRectF(QPointF(), QSizeF(picture.size()) / ratio), samples);
  painter.end();
  m_samplesLabel->setPixmap(picture);
}

void OfferPanel::setProgress(double share, const QString& done) {
  const bool drawing = share >= 0;
  if (drawing) m_data->setText(stepText("Generates its own data, only this once", done));
  m_bar->setValue(static_cast<int>(share * m_bar->maximum()));
  for (QWidget* part : {static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_stopButton)})
    part->setVisible(drawing);
  for (QPushButton* button : {m_runButton, m_openButton}) button->setVisible(!drawing);
}

void OfferPanel::say(const QString& sentence) {
  m_noteText->setText(richSentence(fromQt(sentence)));
  m_note->setVisible(!sentence.isEmpty());
}

void OfferPanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme()[Tone::Border]);
  painter.setBrush(theme()[Tone::Base]);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

}  // namespace millrace
