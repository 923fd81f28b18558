// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace/trace_place.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

#include "core/store/run_store.h"
#include "core/store/trace_folder.h"
#include "widgets/common/strings.h"

namespace millrace {

QString newTraceFile(const QString& store, const QString& title) {
  constexpr int kLongestTitle = 40;
  const QString file =
      QFileInfo(store.isEmpty() ? fileText(defaultStorePath()) : store).absoluteFilePath();
  QDir folder(fileText(traceFolder(pathOf(file))));
  if (!folder.mkpath(".")) folder = QDir::temp();
  static const QRegularExpression odd("[^A-Za-z0-9_-]+");
  QString name = QFileInfo(title).completeBaseName().section(".millrace", 0, 0);
  name = name.replace(odd, "-").left(kLongestTitle);
  const QString when = QDateTime::currentDateTime().toString("yyyy-MM-dd-HHmmss-zzz");
  return folder.filePath(name + "-" + when + ".trace.json");
}

}  // namespace millrace
