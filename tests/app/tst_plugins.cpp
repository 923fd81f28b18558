// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The built program with plug-ins: found by the variable and in the user's folder, listed,
// explained, checked, run, previewed and exported like our kinds.
#include <filesystem>

#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/core/plugins/plugin_files.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

const QByteArray kPipeline = R"({"format_version": 1, "nodes": [
    {"id": "synthetic", "kind": "synthetic", "params": {"count": 100, "content": "image"}},
    {"id": "shift", "kind": "test_shift", "params": {"by": 20}},
    {"id": "workers", "kind": "workers", "params": {"count": 2}},
    {"id": "batch", "kind": "batch"}, {"id": "drain", "kind": "drain"}],
   "wires": [{"from": "synthetic", "to": "shift"}, {"from": "shift", "to": "workers"},
    {"from": "workers", "to": "batch"}, {"from": "batch", "to": "drain"}]})";

void verifySays(const QByteArray& text, const char* wanted) {
  QVERIFY2(text.contains(wanted), text.constData());
}

}  // namespace

class TestPluginsProgram : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("p.json", kPipeline);
  }

  void itRunsLikeOurs() {
    install();
    const Outcome run = m_program->run({"run", "p.json", "--batches", "5", "--repeats", "1"});
    QVERIFY2(run.code == 0, run.err.constData());
    verifySays(run.out, "\n  shift ");
    const Outcome check = m_program->run({"check", "p.json", "--set", "shift.by=999"});
    QCOMPARE(check.code, 2);
    verifySays(check.out, "999 is out of range: -255 to 255 levels");
    const Outcome swept = m_program->run({"sweep", "p.json", "--vary", "shift.by=1,2", "--seconds",
                                          "0.2", "--warmup", "0.1", "--repeats", "1"});
    QVERIFY2(swept.code == 0, swept.err.constData());  // Each trial is a process.
    const Outcome diagnosed = m_program->run({"diagnose", "p.json", "--seconds", "0.2"});
    QVERIFY2(diagnosed.code == 0, diagnosed.err.constData());
    const Outcome preview =
        m_program->run({"preview", "p.json", "--count", "1", "--output", "shown"});
    QVERIFY2(preview.code == 0, preview.err.constData());
  }

  void itIsListedAndExplained() {
    const QString with =
        "MILLRACE_NODES=" + QString::fromStdString(pluginFile("kinds")) + ":/nowhere ";
    const Outcome list = m_program->shell(with + "$MILLRACE nodes");
    QCOMPARE(list.code, 0);
    verifySays(list.out, "\n  test_shift  ");
    verifySays(list.err, "warning: /nowhere is named by MILLRACE_NODES, and there is no such file");
    const Outcome one = m_program->shell(with + "$MILLRACE nodes test_shift");
    verifySays(one.out, "-255 to 255 levels");
    verifySays(one.out, "Comes from the plug-in `test-kinds`: /");
    const QJsonObject json = m_program->shell(with + "$MILLRACE nodes test_shift --json").json();
    QCOMPARE(json["plugin"].toString(), QString("test-kinds"));
    QCOMPARE(json["params"].toArray()[0].toObject()["maximum"].toInt(), 255);
    const QJsonObject doctor = m_program->shell(with + "$MILLRACE doctor --json").json();
    QVERIFY(doctor["plugins"].toObject().contains("test-kinds"));
    QCOMPARE(doctor["refused_plugins"].toArray().size(), 1);
  }

  void withoutThePluginTheFileIsReadAndNamesIt() {
    install();
    const Outcome kept = m_program->run({"run", "p.json", "--batches", "5", "--repeats", "1"});
    QVERIFY2(kept.code == 0, kept.err.constData());
    const Outcome written =
        m_program->run({"export", "p.json", "--to", "json", "-o", "q.millrace.json"});
    QVERIFY2(written.code == 0, written.err.constData());
    std::filesystem::remove_all(m_program->path("data/millrace/nodes").toStdString());
    const Outcome check = m_program->run({"check", "q.millrace.json"});
    QCOMPARE(check.code, 2);
    verifySays(check.out.simplified(),
               "the node kind `test_shift` comes from the plug-in `test-kinds`");
    const Outcome show = m_program->run({"runs", "show", "last"});
    QVERIFY2(show.code == 0, show.err.constData());
  }

  void exportsForOurEngineRunItAndOthersSayWhatIsMissing() {
    install();
    for (const char* target : {"python", "json"}) {
      const Outcome exported = m_program->run({"export", "p.json", "--to", target});
      QVERIFY2(exported.code == 0, exported.err.constData());
      verifySays(exported.out, "test_shift");
      QVERIFY(!exported.out.contains("no counterpart"));
    }
    for (const char* target :
         {"pytorch", "lightning", "tfdata", "keras", "grain", "dali", "huggingface"}) {
      const Outcome exported = m_program->run({"export", "p.json", "--to", target});
      QVERIFY2((exported.out + exported.err).contains("no counterpart"),
               (target + QByteArray(": ") + exported.out + exported.err).constData());
    }
  }

 private:
  /// Puts the plug-in into the user's folder.
  void install() const {
    const std::filesystem::path folder = m_program->path("data/millrace/nodes").toStdString();
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(pluginFile("kinds"), folder / "kinds.so");
  }

  std::unique_ptr<Program> m_program;
};

MILLRACE_TEST_CASE(TestPluginsProgram)

}  // namespace millrace::tests

#include "tst_plugins.moc"
