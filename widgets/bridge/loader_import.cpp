// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/loader_import.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace millrace {

LoaderImport::LoaderImport(QObject* parent) : QObject(parent) {
  connect(&m_command, &EngineCommand::ended, this, [this](const CommandEnd& end) {
    if (end.printed.contains("parts"))
      emit ended(end.printed, {});
    else
      emit ended({}, end.words);
  });
}

QString ChosenLoader::shown() const { return QFileInfo(file).fileName() + ':' + name; }

void LoaderImport::start(const ChosenLoader& loader, const QString& output) {
  m_command.start({"import", loader.word(), "--python", loader.interpreter, "-o", output, "--json"},
                  QFileInfo(loader.file).path());
}

QString interpreterNextTo(const QString& file) {
  for (const char* folder : {".venv", "venv", "env"}) {
    const QString python = QFileInfo(file).path() + '/' + folder + "/bin/python";
    if (QFileInfo(python).isExecutable()) return python;
  }
  return {};
}

QStringList loaderNames(const QString& python) {
  static const QRegularExpression kVariable(R"(^([A-Za-z_]\w*)(?:\s*:[^=]+)?\s*=(?!=))");
  static const QRegularExpression kFunction(R"(^def\s+([A-Za-z_]\w*)\s*\(\s*\))");
  static const QRegularExpression kLikely("loader|dataset",
                                          QRegularExpression::CaseInsensitiveOption);
  QStringList likely;
  QStringList others;
  for (const QString& line : python.split('\n')) {
    QRegularExpressionMatch match = kVariable.match(line);
    if (!match.hasMatch()) match = kFunction.match(line);
    if (!match.hasMatch()) continue;
    const QString name = match.captured(1);
    if (likely.contains(name) || others.contains(name)) continue;
    (line.contains(kLikely) ? likely : others) << name;
  }
  return likely + others;
}

}  // namespace millrace
