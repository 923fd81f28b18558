// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/diagnosis.h"

#include <QApplication>
#include <QProcess>
#include <QScreen>
#include <QStyle>
#include <QTimer>

#include "widgets/bridge/engine_program.h"

namespace millrace {

namespace {

constexpr int kPatienceMs = 20000;

QString ownFacts() {
  QString text = QString("millrace-workbench %1\nQt %2, platform %3, style %4\n")
                     .arg(QApplication::applicationVersion(), qVersion(),
                          QGuiApplication::platformName(), QApplication::style()->objectName());
  for (const QScreen* screen : QGuiApplication::screens())
    text += QString("screen %1 x %2 at %3 %\n")
                .arg(screen->geometry().width())
                .arg(screen->geometry().height())
                .arg(qRound(100 * screen->devicePixelRatio()));
  return text + '\n';
}

}  // namespace

void makeDiagnosis(QObject* owner, std::function<void(const QString&)> done) {
  const QString program = engineProgram();
  if (program.isEmpty()) {
    QTimer::singleShot(0, owner, [done] { done(ownFacts() + noEngineText() + '\n'); });
    return;
  }
  auto* process = new QProcess(owner);
  process->setProcessChannelMode(QProcess::MergedChannels);
  const auto finish = [process, program, done](const QString& words) {
    process->disconnect();
    done(ownFacts() + "engine " + program + '\n' + words + QString::fromUtf8(process->readAll()));
    process->deleteLater();
  };
  QObject::connect(process, &QProcess::finished, process, [finish] { finish({}); });
  QObject::connect(process, &QProcess::errorOccurred, process, [finish, process] {
    finish("did not respond: " + process->errorString() + '\n');
  });
  QTimer::singleShot(kPatienceMs, process, [process] { process->kill(); });
  process->start(program, {"doctor"});
}

}  // namespace millrace
