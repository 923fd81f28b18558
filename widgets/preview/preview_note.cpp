// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/preview_note.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"

namespace millrace {

PreviewNote::PreviewNote(QWidget* parent)
    : QFrame(parent), m_text(new QLabel), m_button(new QPushButton("Try again")) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 5, 6, 5);
  m_text->setWordWrap(true);
  m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_text->setObjectName("preview_note");
  row->addWidget(m_text, 1);
  m_button->setObjectName("preview_retry");
  row->addWidget(m_button);
  connect(m_button, &QPushButton::clicked, this, &PreviewNote::act);
  connect(&m_samples, &SampleJob::progressed, this, &PreviewNote::refresh);
  connect(&m_samples, &SampleJob::ended, this, [this](SampleJob::End, const QString& sentence) {
    m_missingText = sentence;
    emit generated();
  });
}

void PreviewNote::setMissing(const QStringList& missing) {
  m_missing = missing;
  if (m_missing.isEmpty()) m_missingText.clear();
}

void PreviewNote::say(const QString& sentence, bool failed) {
  m_sentence = sentence;
  m_failed = failed;
  refresh();
}

void PreviewNote::act() {
  if (m_samples.isAtWork())
    m_samples.stop();
  else if (!m_missing.isEmpty())
    m_samples.start(m_missing);
  else
    emit retried();
}

void PreviewNote::refresh() {
  const bool generating = m_samples.isAtWork();
  const bool missing = !m_missing.isEmpty() || generating;
  const bool failed = missing ? !generating && !m_missingText.isEmpty() : m_failed;
  QString text = m_sentence;
  if (generating)
    text = m_samples.words();
  else if (missing)
    text = failed ? m_missingText : "This pipeline's sample data has not been generated yet.";
  setStyleProperty(*this, "note", failed ? "error" : "info");
  m_text->setText(richSentence(fromQt(text)));
  m_button->setText(generating ? "Stop" : (missing && !failed ? "Generate now" : "Try again"));
  m_button->setVisible(failed || missing);
  setVisible(!text.isEmpty());
}

}  // namespace millrace
