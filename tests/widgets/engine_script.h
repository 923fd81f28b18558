// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

namespace millrace::tests {

/// The beginning of a script that behaves like the engine.
inline const QByteArray kSayHello =
    R"(echo '{"engine":"0.1.0","event":"hello","time":1.0,"version":"1.0"}'; )";

/// Writes a program that replaces the engine and runs a shell script; returns its file.
inline QString writeEngine(const QString& folder, const QByteArray& script) {
  QFile file(folder + "/engine");
  if (!file.open(QIODevice::WriteOnly)) qFatal("no engine can be written below the folder");
  file.write("#!/bin/sh\n" + script);
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return file.fileName();
}

/// Parses an event or an answer.
inline QJsonObject parsed(const QByteArray& json) { return QJsonDocument::fromJson(json).object(); }

}  // namespace millrace::tests
