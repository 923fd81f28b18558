// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/view_export.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QSvgGenerator>

#include "core/base/whole_file.h"
#include "widgets/bridge/file_save.h"
#include "widgets/common/icons.h"
#include "widgets/common/status_line.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kPngScale = 2;

QImage imageOf(const ViewExport& view) {
  QImage image(view.size * kPngScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(kPngScale);
  QPainter painter(&image);
  view.paint(painter);
  return image;
}

QByteArray pngOf(const ViewExport& view) {
  const QImage image = imageOf(view);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

QByteArray svgOf(const ViewExport& view) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator svg;
  svg.setOutputDevice(&buffer);
  svg.setTitle(view.title);
  svg.setSize(view.size);
  svg.setViewBox(QRect(QPoint(0, 0), view.size));
  QPainter painter(&svg);
  view.paint(painter);
  painter.end();
  return bytes;
}

/// The suffixes that a view can be saved under, each with its text for a dialog.
QList<std::pair<QString, QString>> endingsOf(const ViewExport& view) {
  QList<std::pair<QString, QString>> endings;
  if (view.paint) endings << std::pair("png", "Picture") << std::pair("svg", "Drawing");
  if (view.csv || view.table) endings << std::pair("csv", "Table");
  if (view.table) endings << std::pair("json", "Table as JSON");
  return endings;
}

QString formatsOf(const ViewExport& view) {
  QStringList words;
  for (const auto& [ending, name] : endingsOf(view)) words << '.' + ending;
  const QString last = words.takeLast();
  return words.join(", ") + " or " + last;
}

std::string csvTextOf(const ViewExport& view) {
  return view.csv ? view.csv() : csvText(view.table());
}

/// Bytes in the format of the file's suffix.
Result<std::string> bytesOf(const ViewExport& view, const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  if (suffix == "png" && view.paint) return pngOf(view).toStdString();
  if (suffix == "svg" && view.paint) return svgOf(view).toStdString();
  if (suffix == "csv" && (view.csv || view.table)) return csvTextOf(view);
  if (suffix == "json" && view.table) return jsonText(view.table());
  return Error{fromQt(file) + ": this view can be saved as " + fromQt(formatsOf(view))};
}

}  // namespace

void copyPicture(const ViewExport& view) { QApplication::clipboard()->setImage(imageOf(view)); }

void copyTable(const ViewExport& view) {
  QApplication::clipboard()->setText(QString::fromStdString(csvTextOf(view)));
}

void popUpViewMenu(QWidget* parent, const QPoint& at, const ViewExport& view,
                   const QList<QAction*>& own) {
  // Not exec(): the event loop of a menu would hold up a view that is deleted meanwhile.
  auto* menu = new QMenu(parent);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addActions(own);
  if (!own.isEmpty()) menu->addSeparator();
  menu->addAction(icon("copy"), "&Copy as picture", parent, [view] { copyPicture(view); });
  if (view.csv || view.table) menu->addAction("Copy as C&SV", parent, [view] { copyTable(view); });
  menu->addAction(icon("export"), "&Export…", parent,
                  [parent, view] { askViewExport(parent, view); });
  menu->popup(at);
}

Status exportView(const ViewExport& view, const QString& file) {
  const Result<std::string> bytes = bytesOf(view, file);
  if (!bytes) return bytes.error();
  return writeWholeFile(pathOf(file), *bytes, IfThere::Replace);
}

void askViewExport(QWidget* parent, const ViewExport& view) {
  QStringList filters;
  for (const auto& [ending, name] : endingsOf(view))
    filters << QString("%1 (*.%2)").arg(name, ending);
  const QString title = "Export " + view.title;
  const QString name =
      QString(view.title).toLower().replace(' ', '-') + '.' + endingsOf(view).constFirst().first;
  const auto save = [parent, view, title](const QString& file) {
    const auto report = [parent, file, title](const Status& saved) {
      if (saved)
        showInStatusLine(*parent, "Saved: " + QDir::toNativeSeparators(file));
      else
        QMessageBox::warning(parent, title, sentence(saved.error().message).remove('`'));
    };
    Result<std::string> bytes = bytesOf(view, file);
    if (bytes)
      saveFile(*parent, file, bytes.take(), report);
    else
      report(bytes.error());
  };
  askWhereToSave(*parent, title, name, filters.join(";;"), save);
}

}  // namespace millrace
