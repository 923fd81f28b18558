// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/folder_drop.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/inspect/folder_content.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"

namespace millrace {

namespace {

/// A line of what is recognised.
struct Known {
  QString name;
  const char* icon;
  QString example;
};

/// Layouts of pictures, then the container formats, two on a line.
std::vector<Known> knownData() {
  std::vector<Known> known;
  const auto layout = [&](DataLayout of, const char* icon, const char* example) {
    QString name = toQt(nameOf(of));
    name[0] = name[0].toUpper();
    known.push_back({name, icon, example});
  };
  layout(DataLayout::Classes, "source", "dogs/001.jpg");
  layout(DataLayout::Pairs, "copy", "lr/01.png, hr/01.png");
  layout(DataLayout::Masks, "decode", "img/7.jpg, mask/7.png");
  layout(DataLayout::Objects, "geometry", "coco.json, labels/7.txt");
  bool second = false;
  for (const Format& format : allFormats()) {
    if (format.isFileName == nullptr || format.onlyNamed) continue;
    const QString name = toQt(format.title);
    const QString example = toQt(format.example);
    if (second) {
      known.back().name += ", " + name;
      known.back().example += ", " + example;
    } else {
      known.push_back({name, "batch", example});
    }
    second = !second;
  }
  return known;
}

/// Example file names, elided if there is too little room.
class ExampleNames final : public QLabel {
 public:
  explicit ExampleNames(const QString& names) : QLabel(names) {
    setFont(codeFont(11));
    setToolTip(names);
  }
  QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
  }
};

QLabel* words(const QString& text, const char* role) {
  auto* label = new QLabel(text);
  label->setProperty("role", role);
  label->setAlignment(Qt::AlignHCenter);
  label->setWordWrap(true);
  return label;
}

QGridLayout* knownLayouts() {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(4, 1);
  int row = 0;
  for (const Known& known : knownData()) {
    grid->addWidget(new IconMark(known.icon, Tone::Text2, 14), row, 1);
    grid->addWidget(new QLabel(known.name), row, 2);
    grid->addWidget(new ExampleNames(known.example), row++, 3);
  }
  return grid;
}

}  // namespace

FolderDrop::FolderDrop(QWidget* parent)
    : QFrame(parent), m_note(new QFrame), m_noteText(new QLabel) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(20, 18, 20, 14);
  column->setSpacing(6);
  column->addWidget(new IconMark("open", Tone::Accent, 28), 0, Qt::AlignHCenter);
  auto* title = new QLabel("Or drop your own folder here");
  title->setFont(uiFont(15, true));
  title->setAlignment(Qt::AlignHCenter);
  column->addWidget(title);
  column->addWidget(
      words("Millrace reads its content and proposes a pipeline. No file is changed or copied.",
            "second"));
  auto* choose = new QPushButton(icon("open"), "Choose a folder");
  choose->setObjectName("start_choose_folder");
  connect(choose, &QPushButton::clicked, this, &FolderDrop::chooseRequested);
  column->addSpacing(4);
  column->addWidget(choose, 0, Qt::AlignHCenter);
  auto* row = new QVBoxLayout(m_note);
  row->setContentsMargins(10, 6, 10, 6);
  m_noteText->setWordWrap(true);
  m_noteText->setObjectName("start_note");
  row->addWidget(m_noteText);
  m_note->hide();
  column->addWidget(m_note);
  column->addSpacing(6);
  column->addLayout(knownLayouts());
}

void FolderDrop::say(const QString& sentence, bool isError) {
  m_noteText->setText(richSentence(fromQt(sentence)));
  setStyleProperty(*m_note, "note", isError ? "warning" : "info");
  m_note->setVisible(!sentence.isEmpty());
}

QString FolderDrop::said() const { return m_note->isHidden() ? QString() : m_noteText->text(); }

void FolderDrop::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(theme()[Tone::Control], 1.5, Qt::CustomDashLine);
  pen.setDashPattern({4, 3});
  painter.setPen(pen);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

}  // namespace millrace
