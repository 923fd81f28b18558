// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compare_view.h"

#include <algorithm>

#include <QBuffer>
#include <QFileInfo>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>

#include "core/base/whole_file.h"
#include "core/compare/comparison.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kPngScale = 2;

}  // namespace

CompareView::CompareView(const QString& title, CompareSet& set, QWidget* parent)
    : QWidget(parent), m_title(title), m_set(set), m_export(new QAction("Export chart…", this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(title);
  m_export->setIcon(icon("export", Tone::Text2));
  m_export->setToolTip("Export as PNG, SVG or CSV");
  connect(m_export, &QAction::triggered, this, &CompareView::askExport);
  addAction(m_export);
  connect(&set, &CompareSet::hoverChanged, this, qOverload<>(&QWidget::update));
}

void CompareView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintAll(painter);
}

void CompareView::paintAll(QPainter& painter) {
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setRenderHint(QPainter::Antialiasing);
  const QString empty = m_set.problem().isEmpty() ? emptyWords() : m_set.problem();
  if (empty.isEmpty()) {
    paintPlot(painter);
    return;
  }
  paintIcon(painter, "compare", QRectF(width() / 2.0 - 13, height() / 2.0 - 34, 26, 26),
            theme()[Tone::Hint]);
  painter.setFont(uiFont(13));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(12, height() / 2.0, width() - 24, height() / 2.0),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, empty);
}

QString CompareView::nameOf(RunNumber run) const {
  const QString number = QString::number(static_cast<std::int64_t>(run));
  return m_set.isBaseline(run) ? number + " baseline" : number;
}

void CompareView::chooseAt(QPointF at, Qt::KeyboardModifiers modifiers) {
  const auto run = runAt(at);
  if (!run) return;
  std::vector<RunNumber> chosen = {*run};
  if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
    chosen = m_set.chosen();
    if (std::erase(chosen, *run) == 0) chosen.push_back(*run);
  }
  m_set.choose(chosen);
}

void CompareView::mouseMoveEvent(QMouseEvent* event) {
  QWidget::mouseMoveEvent(event);
  m_set.hover(runAt(event->position()));
}

void CompareView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) chooseAt(event->position(), event->modifiers());
}

void CompareView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto run = runAt(event->position())) m_set.open(*run);
}

void CompareView::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_set.hover(std::nullopt);
}

Status CompareView::exportTo(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (suffix == "png") {
    QImage image(size() * kPngScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kPngScale);
    QPainter painter(&image);
    paintAll(painter);
    painter.end();
    image.save(&buffer, "PNG");
  } else if (suffix == "svg") {
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size());
    generator.setViewBox(rect());
    generator.setTitle(m_title);
    QPainter painter(&generator);
    paintAll(painter);
    painter.end();
  } else if (suffix == "csv") {
    buffer.write(QByteArray::fromStdString(csv()));
  } else {
    return Error{fromQt(file) + ": a chart is saved as .png, .svg or .csv"};
  }
  return writeWholeFile(pathOf(file), {bytes.constData(), static_cast<std::size_t>(bytes.size())},
                        IfThere::Replace);
}

void CompareView::askExport() {
  QString chosen;
  const QString name = QString(m_title).toLower().replace(' ', '-') + ".png";
  QString file = askSaveFile(this, "Export chart", name,
                             "Picture (*.png);;Drawing (*.svg);;Table (*.csv)", &chosen);
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix().isEmpty()) file += chosen.section('*', 1).section(')', 0, 0);
  if (const Status saved = exportTo(file); !saved)
    QMessageBox::warning(this, "Export chart", sentence(saved.error().message));
}

ChosenRunsView::ChosenRunsView(const QString& title, const QString& nothing, CompareSet& set,
                               QWidget* parent)
    : CompareView(title, set, parent), m_nothing(nothing) {
  connect(&set, &CompareSet::changed, this, [this, &set] {
    forget();
    if (const Comparison* comparison = set.comparison())
      for (const ComparedRun& run : comparison->runs) read(run);
    update();
  });
}

QString ChosenRunsView::emptyWords() const {
  if (set().chosen().size() < 2) return "Choose two runs or more in the table.";
  return hasAnything() || set().comparison() == nullptr ? QString() : m_nothing;
}

}  // namespace millrace
