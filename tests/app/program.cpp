// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>

#include "tests/support/places.h"

namespace millrace::tests {

namespace {
constexpr int kGenerousMs = 120000;
}

void Program::prepare(QProcess& process) const {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("HOME", m_home.path());
  environment.insert("XDG_DATA_HOME", m_home.filePath("data"));
  environment.insert("XDG_CACHE_HOME", m_home.filePath("cache"));
  environment.remove("MILLRACE_STORE");
  environment.remove("MILLRACE_NODES");
  environment.insert("MILLRACE", tests::kMillrace);
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(m_home.path());
  process.setProgram(tests::kMillrace);
}

Outcome Program::run(const QStringList& arguments, const QByteArray& input) {
  QProcess process;
  prepare(process);
  process.setArguments(arguments);
  process.start();
  process.write(input);
  process.closeWriteChannel();
  return outcomeOf(process);
}

int Program::runCount(const QString& query) {
  const Outcome listed = run({"runs", "list", query, "--json"});
  return static_cast<int>(QJsonDocument::fromJson(listed.out).array().size());
}

Outcome Program::shell(const QString& line) {
  QProcess process;
  prepare(process);
  process.setProgram("bash");
  process.setArguments({"-c", line});
  process.start();
  process.closeWriteChannel();
  return outcomeOf(process);
}

std::unique_ptr<QProcess> Program::start(const QStringList& arguments) {
  auto process = std::make_unique<QProcess>();
  prepare(*process);
  process->setArguments(arguments);
  process->start();
  process->waitForStarted(kGenerousMs);
  return process;
}

QString Program::write(const QString& name, const QByteArray& content) {
  QFile file(path(name));
  QDir().mkpath(QFileInfo(file).path());
  if (file.open(QIODevice::WriteOnly)) file.write(content);
  return file.fileName();
}

QByteArray lineWith(QProcess& process, const QByteArray& word) {
  for (;;) {
    while (process.canReadLine()) {
      const QByteArray line = process.readLine();
      if (line.contains(word)) return line;
    }
    if (!process.waitForReadyRead(kGenerousMs) && !process.canReadLine()) return {};
  }
}

Outcome outcomeOf(QProcess& process) {
  const bool done = ended(process);
  if (!done) process.kill();
  const bool byItself = done && process.exitStatus() == QProcess::NormalExit;
  return {byItself ? process.exitCode() : -1, process.readAllStandardOutput(),
          process.readAllStandardError()};
}

bool ended(QProcess& process) {
  return process.state() == QProcess::NotRunning || process.waitForFinished(kGenerousMs);
}

QByteArray syntheticPipeline(const QByteArray& extra) {
  return R"({"format_version": 1, "seed": 3, "nodes": [
    {"id": "synthetic", "kind": "synthetic", "params": {"count": 1000)" +
         extra + R"(}},
    {"id": "shuffle", "kind": "shuffle"},
    {"id": "workers", "kind": "workers", "params": {"count": 2}},
    {"id": "batch", "kind": "batch", "params": {"size": 10}},
    {"id": "prefetch", "kind": "prefetch"},
    {"id": "drain", "kind": "drain"}],
   "wires": [{"from": "synthetic", "to": "shuffle"}, {"from": "shuffle", "to": "workers"},
    {"from": "workers", "to": "batch"}, {"from": "batch", "to": "prefetch"},
    {"from": "prefetch", "to": "drain"}]})";
}

QByteArray steppedPipeline(const QByteArray& stepSeconds) {
  return R"({"format_version": 1, "nodes": [
  {"id": "synthetic", "kind": "synthetic", "params": {"count": 1000}},
  {"id": "workers", "kind": "workers", "params": {"count": 2}},
  {"id": "batch", "kind": "batch", "params": {"size": 8}},
  {"id": "prefetch", "kind": "prefetch"},
  {"id": "step", "kind": "emulated_step", "params": {"seconds": )" +
         stepSeconds + R"(}}],
 "wires": [{"from": "synthetic", "to": "workers"}, {"from": "workers", "to": "batch"},
  {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "step"}]})";
}

QStringList shortly() { return {"--seconds", "0.2", "--warmup", "0", "--repeats", "1"}; }

}  // namespace millrace::tests
