// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/file_save.h"

#include <utility>

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QTimer>

#include "core/base/whole_file.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kMomentMs = 1000;

}  // namespace

void askWhereToSave(QWidget& parent, const QString& title, const QString& name,
                    const QString& filters, std::function<void(const QString&)> take) {
  const auto ask = [&parent, title, name, filters, take = std::move(take)](const QString& folder) {
    const QString start = folder.isEmpty() ? name : QDir(folder).filePath(name);
    QString chosen;
    QString file = askSaveFile(&parent, title, start, filters, &chosen);
    if (file.isEmpty()) return;
    const QString filter = chosen.isEmpty() ? filters : chosen;
    if (QFileInfo(file).suffix().isEmpty()) file += filter.section("(*", 1).section(')', 0, 0);
    take(file);
  };
  withStartFolder(parent, {}, ask);
}

void saveFile(QWidget& parent, const QString& file, std::string bytes,
              std::function<void(const Status&)> take) {
  auto* box = new QMessageBox(QMessageBox::Information, "Millrace",
                              "Still waiting for " + file + ", which is not saved yet…",
                              QMessageBox::Close, &parent);
  box->setModal(false);
  QTimer::singleShot(kMomentMs, box, &QWidget::show);
  doFileWork(parent, [box = QPointer(box), file, bytes = std::move(bytes), take = std::move(take)] {
    Status status = writeWholeFile(pathOf(file), bytes, IfThere::Replace);
    if (!status) status = Error{status.error().message + "; choose another folder"};
    return [box, status, take] {
      delete box.data();
      take(status);
    };
  });
}

}  // namespace millrace
