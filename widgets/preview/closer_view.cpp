// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/closer_view.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/preview/field_facts.h"
#include "widgets/preview/thumbnail_model.h"

namespace millrace {

namespace {

class Picture final : public QWidget {
 public:
  explicit Picture(const ShownSample& sample) : m_sample(sample) {
    setMinimumSize(256, 256);
    setAccessibleName("Sample");
  }
  void setMask(MaskPlace mask) {
    m_mask = mask;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Tone::Base]);
    paintSample(painter, QRectF(rect()).adjusted(8, 8, -8, -8), m_sample, m_mask);
  }

 private:
  const ShownSample& m_sample;
  MaskPlace m_mask = MaskPlace::Over;
};

QLabel* sideLabel() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

CloserView::CloserView(QWidget* parent)
    : QDialog(parent), m_picture(new Picture(m_sample)), m_name(sideLabel()), m_facts(sideLabel()) {
  setWindowTitle("Preview");
  resize(820, 560);
  auto* row = new QHBoxLayout(this);
  row->addWidget(m_picture, 1);
  auto* side = new QVBoxLayout;
  row->addLayout(side);
  m_name->setFixedWidth(200);
  m_facts->setFixedWidth(200);
  m_facts->setProperty("role", "second");
  side->addWidget(m_name);
  side->addWidget(m_facts);
  side->addStretch(1);
  auto* steps = new QHBoxLayout;
  for (const int by : {-1, 1}) {
    auto* button = new QPushButton(by < 0 ? "Previous" : "Next");
    button->setAutoDefault(false);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QPushButton::clicked, this, [this, by] { emit stepped(by); });
    steps->addWidget(button);
  }
  side->addLayout(steps);
  m_picture->setFocusPolicy(Qt::StrongFocus);
  m_picture->setFocus();
}

void CloserView::showSample(const ShownSample& sample, MaskPlace mask) {
  m_sample = sample;
  static_cast<Picture*>(m_picture)->setMask(mask);
  const QString caption = captionOf(sample);
  QString head = "<b>" + caption.toHtmlEscaped() + "</b>";
  if (caption != sample.name) head += "<br>" + sample.name.toHtmlEscaped();
  if (!sample.error.isEmpty()) head += "<p>" + richSentence(fromQt(sample.error));
  m_name->setText(head);
  m_facts->setText(fieldFacts({sample}));
  setWindowTitle(sample.name.section('/', -1) + " · Preview");
}

void CloserView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: emit stepped(-1); break;
    case Qt::Key_Right:
    case Qt::Key_Down: emit stepped(1); break;
    default: QDialog::keyPressEvent(event);
  }
}

}  // namespace millrace
