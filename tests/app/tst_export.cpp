// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace export` as the user starts it.
#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestExport : public QObject {
  Q_OBJECT
 private slots:
  void codeGoesToStandardOutputAndNotesToStandardError() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const Outcome done = program.run({"export", pipeline, "--to", "pytorch"});
    QVERIFY2(done.code == 0, done.err);
    QVERIFY(done.out.startsWith("\"\"\"Batches for training by PyTorch.\"\"\"\n"));
    QVERIFY(done.out.contains("def make_loader("));
    QVERIFY(done.err.contains("note: "));
  }

  void theDocumentComesBackWithWhatWasSet() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const Outcome done =
        program.run({"export", pipeline, "--to", "json", "--set", "batch.size=17", "--seed", "5"});
    QVERIFY2(done.code == 0, done.err);
    QCOMPARE(done.json()["seed"].toInt(), 5);
    QVERIFY(done.out.contains("\"size\": 17"));
    const Outcome again = program.run({"export", "-", "--to", "json"}, done.out);
    QCOMPARE(again.out, done.out);
  }

  void aFileThatIsThereIsKeptWithoutForce() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const QString out = program.write("loader.py", "mine\n");
    const QStringList arguments{"export", pipeline, "--to", "pytorch", "-o", out};
    const Outcome refused = program.run(arguments);
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("already exists"), refused.err);
    QVERIFY2(!refused.err.contains("note:"), refused.err);
    QCOMPARE(contentOf(out), QByteArray("mine\n"));
    const Outcome forced = program.run(arguments + QStringList{"--force"});
    QVERIFY2(forced.code == 0, forced.err);
    QVERIFY(contentOf(out).contains("make_loader"));
    const QStringList left = QDir(program.path("")).entryList({"loader*"}, QDir::Files);
    QCOMPARE(left, QStringList{"loader.py"});
  }

  void codeOverTheEngineReadsThePipelineNextToIt() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const QString out = program.path("train.py");
    const QStringList arguments{"export", pipeline, "--to", "python", "-o", out};
    const Outcome done = program.run(arguments);
    QVERIFY2(done.code == 0, done.err);
    QVERIFY(contentOf(out).contains("with_name(\"train.pipeline.json\")"));
    QVERIFY(contentOf(program.path("train.pipeline.json")).contains("\"nodes\""));
    const Outcome inlined = program.run(arguments + QStringList{"--inline", "--force"});
    QVERIFY2(inlined.code == 0, inlined.err);
    QVERIFY(contentOf(out).contains("PIPELINE = {"));
  }

  void aTrainingLoopIsOnlyForTargetsThatHaveOne() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const QStringList arguments{"export", pipeline, "--with-training", "--to"};
    const Outcome done = program.run(arguments + QStringList{"pytorch"});
    QVERIFY2(done.code == 0, done.err);
    QVERIFY(done.out.contains("def make_model("));
    const Outcome refused = program.run(arguments + QStringList{"grain"});
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.err.contains("grain") && refused.err.contains("pytorch"), refused.err);
  }

  void aFullDiskIsASentence() {
    if (!QFile::exists("/dev/full")) QSKIP("there is no /dev/full");
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const Outcome done = program.run({"export", pipeline, "--to", "pytorch", "-o", "/dev/full"});
    QCOMPARE(done.code, 1);
    QVERIFY2(done.err.contains("cannot write /dev/full: No space left on device"), done.err);
  }

  void aFolderThatIsMissingIsASentence() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const QString out = program.path("nowhere/loader.py");
    const Outcome done = program.run({"export", pipeline, "--to", "pytorch", "-o", out});
    QCOMPARE(done.code, 1);
    QVERIFY2(done.err.simplified().contains("there is no folder"), done.err);
  }

  void unknownTargetsAreAnsweredWithThoseThatThereAre_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("misspelt") << "pytroch" << QByteArray("did you mean `pytorch`?");
    QTest::newRow("unheard of") << "cobol" << QByteArray("there are python, json");
  }

  void unknownTargetsAreAnsweredWithThoseThatThereAre() {
    QFETCH(QString, target);
    QFETCH(QByteArray, said);
    Program program;
    const Outcome done = program.run({"export", "classification", "--to", target});
    QCOMPARE(done.code, 2);
    QVERIFY2(done.err.simplified().contains(said), done.err);
  }

  void theSourceOfWhatIsExportedMustBeNamedOnce() {
    Program program;
    QCOMPARE(program.run({"export", "--to", "json"}).code, 2);
    QCOMPARE(program.run({"export", "classification", "--run", "1", "--to", "json"}).code, 2);
    const Outcome none = program.run({"export", "--run", "1", "--to", "json"});
    QCOMPARE(none.code, 2);
    QVERIFY2(none.err.contains("no runs yet"), none.err);
  }

  void aKeptRunIsExportedWithItsFigures() {
    Program program;
    const QString pipeline = program.write("p.millrace.json", syntheticPipeline());
    const Outcome ran = program.run(QStringList{"run", pipeline} + shortly());
    QVERIFY2(ran.code == 0, ran.err);
    const QStringList arguments{"export", "--run", "last", "--to", "pytorch"};
    const Outcome with = program.run(arguments);
    QVERIFY2(with.code == 0, with.err);
    QVERIFY(with.out.contains("# Measured with Millrace itself"));
    QVERIFY(with.out.contains("samples/s"));
    const Outcome without = program.run(arguments + QStringList{"--no-figures"});
    QVERIFY(!without.out.contains("# Measured"));
    const Outcome changed = program.run(arguments + QStringList{"--set", "batch.size=3"});
    QVERIFY(!changed.out.contains("# Measured"));
    QVERIFY2(changed.err.contains("figures are left out"), changed.err);
  }

  void codeIsExportedWhereTheDataIsNot() {
    Program program;
    const Outcome done =
        program.run({"export", "classification", "--data", "/no/such/folder", "--to", "pytorch"});
    QVERIFY2(done.code == 0, done.err);
    QVERIFY2(done.out.contains("DATA = \"/no/such/folder\""), done.out);
    QVERIFY2(done.err.contains("could not be opened"), done.err);
  }

  void aPipelineWithErrorsIsNotExportedAsCode() {
    Program program;
    const QString pipeline =
        program.write("p.millrace.json", R"({"format_version": 1, "nodes": [{"kind": "novel"}]})");
    const Outcome done = program.run({"export", pipeline, "--to", "pytorch"});
    QCOMPARE(done.code, 2);
    QVERIFY(done.out.isEmpty());
    QVERIFY2(done.err.contains("novel"), done.err);
    const Outcome document = program.run({"export", pipeline, "--to", "json"});
    QVERIFY2(document.code == 0, document.err);
    QVERIFY(document.out.contains("novel"));
  }
};

}  // namespace millrace::tests

using millrace::tests::TestExport;
MILLRACE_TEST_CASE(TestExport)
#include "tst_export.moc"
