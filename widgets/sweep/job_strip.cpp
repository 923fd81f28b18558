// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/job_strip.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include "widgets/charts/run_strip.h"
#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

namespace millrace {

QLabel* plainLabel(const char* role) {
  auto* label = new QLabel;
  if (role != nullptr) label->setProperty("role", role);
  label->setTextFormat(Qt::PlainText);
  return label;
}

QPushButton* namedButton(const QString& name, const QString& text, const QString& iconName) {
  auto* button = new QPushButton(text);
  button->setObjectName(name);
  button->setIcon(icon(iconName));
  return button;
}

JobStrip::JobStrip(const QString& what, QWidget* parent)
    : QWidget(parent),
      m_row(new QHBoxLayout(this)),
      m_title(plainLabel()),
      m_words(plainLabel("second")),
      m_left(plainLabel("second")),
      m_bar(new QProgressBar),
      m_stop(namedButton("stop", "Stop", "stop")) {
  m_row->setContentsMargins(14, 8, 12, 8);
  m_row->setSpacing(12);
  m_title->setFont(uiFont(13, true));
  m_words->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_words->setMinimumWidth(120);
  m_bar->setTextVisible(false);
  m_bar->setMinimumWidth(120);
  m_bar->setAccessibleName(what);
  m_row->addWidget(m_title);
  m_row->addWidget(m_words, 3);
  m_row->addWidget(m_bar, 2);
  m_row->addWidget(m_left);
  m_row->addWidget(m_stop);
  connect(m_stop, &QPushButton::clicked, this, &JobStrip::stopRequested);
  m_second.setInterval(1000);
  connect(&m_second, &QTimer::timeout, this, &JobStrip::showLeft);
}

void JobStrip::addButton(QPushButton* button) { m_row->addWidget(button); }
void JobStrip::setTitle(const QString& title) { m_title->setText(title); }

void JobStrip::setWords(const QString& words) {
  m_words->setText(words);
  m_words->setToolTip(words);
}

void JobStrip::setGoing(bool going) {
  m_bar->setVisible(going);
  m_stop->setVisible(going);
  m_left->setVisible(going);
  if (!going) m_stop->setEnabled(true);
  going ? m_second.start() : m_second.stop();
}

void JobStrip::keepLeft(std::optional<double> left) {
  if (left != m_leftThen) {
    m_leftThen = left;
    m_since.start();
  }
  setGoing(true);
  showLeft();
}

void JobStrip::showProgress(int done, int of, std::optional<double> left) {
  m_budget.reset();
  m_bar->setRange(0, of);
  m_bar->setValue(std::min(done, of));
  keepLeft(left);
}

void JobStrip::showBudget(double seconds, std::optional<double> left) {
  m_budget = seconds;
  keepLeft(left);
}

void JobStrip::showIdle() {
  m_leftThen.reset();
  setGoing(false);
}

void JobStrip::showStopping(const QString& words) {
  m_stop->setEnabled(false);
  setWords(words);
}

void JobStrip::showLeft() {
  if (!m_leftThen) return m_left->clear();
  const double left = std::max(0.0, *m_leftThen - static_cast<double>(m_since.elapsed()) / 1000);
  m_left->setText(timeLeftText(left));
  if (!m_budget) return;
  m_bar->setRange(0, std::max(1, static_cast<int>(*m_budget)));
  m_bar->setValue(static_cast<int>(*m_budget - left));
}

QString JobStrip::words() const { return m_words->text(); }
QString JobStrip::leftText() const { return m_left->text(); }

}  // namespace millrace
