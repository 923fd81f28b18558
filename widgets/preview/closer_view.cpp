// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/closer_view.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>

#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/preview/field_facts.h"
#include "widgets/preview/picture_canvas.h"
#include "widgets/preview/thumbnail_model.h"

namespace millrace {

namespace {

constexpr int kSideWidth = 210;

QLabel* sideLabel() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QPushButton* sideButton(const char* text, const char* tip) {
  auto* button = new QPushButton(text);
  button->setToolTip(tip);
  button->setAutoDefault(false);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

CloserView::CloserView(QWidget* parent)
    : QDialog(parent),
      m_canvas(new PictureCanvas),
      m_name(sideLabel()),
      m_facts(sideLabel()),
      m_pixel(new QLabel),
      m_beforeBox(new QCheckBox("Before the node, too")),
      m_opacityLabel(new QLabel("Mask")),
      m_opacity(new QSlider(Qt::Horizontal)) {
  setWindowTitle("Preview");
  resize(940, 600);
  m_pixel->setTextFormat(Qt::PlainText);
  m_pixel->setProperty("role", "second");
  m_pixel->setMinimumWidth(20);
  m_pixel->setObjectName("pixel");
  auto* row = new QHBoxLayout(this);
  auto* large = new QVBoxLayout;
  large->addWidget(m_canvas, 1);
  large->addWidget(m_pixel);
  row->addLayout(large, 1);
  row->addLayout(buildSide());
  connect(m_canvas, &PictureCanvas::read, this, [this](const QString& words) {
    m_pixel->setText(
        words.isEmpty() ? "Point at a pixel to read it. The wheel zooms, dragging pans." : words);
  });
  emit m_canvas->read({});
  m_canvas->setFocus();
}

QLayout* CloserView::buildSide() {
  auto* side = new QVBoxLayout;
  m_name->setFixedWidth(kSideWidth);
  m_facts->setAlignment(Qt::AlignTop);
  m_facts->setProperty("role", "second");
  side->addWidget(m_name);
  auto* scroll = new QScrollArea;
  scroll->setWidget(m_facts);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFixedWidth(kSideWidth);
  scroll->setFocusPolicy(Qt::NoFocus);
  side->addWidget(scroll, 1);
  m_beforeBox->setToolTip("Show the sample as it reaches the node next to it (B)");
  connect(m_beforeBox, &QCheckBox::toggled, this, [this](bool wanted) {
    showPanes();
    if (wanted && !m_before) emit beforeWanted();
  });
  side->addWidget(m_beforeBox);
  auto* mask = new QHBoxLayout;
  m_opacity->setRange(0, 100);
  m_opacity->setAccessibleName("Opacity of the mask");
  m_opacity->setToolTip("Opacity of the mask");
  mask->addWidget(m_opacityLabel);
  mask->addWidget(m_opacity, 1);
  connect(m_opacity, &QSlider::valueChanged, this, [this](int percent) {
    m_mask.opacity = percent / 100.0;
    m_canvas->setMask(m_mask);
    emit maskChanged(m_mask);
  });
  side->addLayout(mask);
  auto* copyButton = sideButton("Copy picture", "Copy the picture to the clipboard (Ctrl+C)");
  connect(copyButton, &QPushButton::clicked, this, &CloserView::copy);
  side->addWidget(copyButton);
  auto* steps = new QHBoxLayout;
  for (const int by : {-1, 1}) {
    auto* button = by < 0 ? sideButton("Previous", "The sample before (Left)")
                          : sideButton("Next", "The next sample (Right)");
    connect(button, &QPushButton::clicked, this, [this, by] { emit stepped(by); });
    steps->addWidget(button);
  }
  side->addLayout(steps);
  return side;
}

void CloserView::showSample(const ShownSample& sample, const MaskStyle& mask, const QString& node) {
  if (sample.place != m_sample.place || sample.node != m_sample.node) m_before.reset();
  m_sample = sample;
  m_node = node;
  m_mask = mask;
  m_canvas->setMask(mask);
  const QString caption = captionOf(sample);
  QString head = "<b>" + caption.toHtmlEscaped() + "</b>";
  if (caption != sample.name) head += "<br>" + sample.name.toHtmlEscaped();
  if (!sample.error.isEmpty()) head += "<p>" + richSentence(fromQt(sample.error));
  m_name->setText(head);
  m_facts->setText(fieldFacts({sample}));
  setWindowTitle(sample.name.section('/', -1) + " · Preview");
  const bool isOver =
      sample.mask() != nullptr && !sample.pictures().empty() && mask.place == MaskPlace::Over;
  const QSignalBlocker quiet(m_opacity);
  m_opacity->setValue(qRound(100 * mask.opacity));
  m_opacity->setVisible(isOver);
  m_opacityLabel->setVisible(isOver);
  showPanes();
}

void CloserView::showBefore(const ShownSample& sample) {
  m_before = sample;
  showPanes();
}

void CloserView::setHasBefore(bool has) { m_beforeBox->setEnabled(has); }

bool CloserView::wantsBefore() const { return m_beforeBox->isChecked(); }

void CloserView::showPanes() {
  std::vector<PictureCanvas::Pane> panes;
  if (wantsBefore() && m_before) panes.push_back({"Before " + m_node, *m_before});
  panes.push_back({"After " + m_node, m_sample});
  m_canvas->setPanes(std::move(panes));
}

QString CloserView::pixelText() const { return m_pixel->text(); }

void CloserView::copy() {
  const QImage picture = m_canvas->picture();
  if (picture.isNull()) return;
  QGuiApplication::clipboard()->setImage(picture);
  m_pixel->setText(QString("The picture was copied, %1 × %2 pixels.")
                       .arg(picture.width())
                       .arg(picture.height()));
}

void CloserView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  const QPointF middle = QRectF(m_canvas->rect()).center();
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: emit stepped(-1); break;
    case Qt::Key_Right:
    case Qt::Key_Down: emit stepped(1); break;
    case Qt::Key_Plus: m_canvas->zoomBy(1.5, middle); break;
    case Qt::Key_Minus: m_canvas->zoomBy(1 / 1.5, middle); break;
    case Qt::Key_F:
    case Qt::Key_0: m_canvas->showWhole(); break;
    case Qt::Key_B:
      if (m_beforeBox->isEnabled()) m_beforeBox->toggle();
      break;
    default: QDialog::keyPressEvent(event);
  }
}

}  // namespace millrace
