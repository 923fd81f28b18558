// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `convert` for the user: each format, refusals, a kill in the middle.
#include <QDir>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestConvert : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_program->run({"sample-data", "pets", "--kind", "cats-vs-dogs", "--count", "10"});
  }

  void aFolderBecomesAContainerThatRuns() {
    const Outcome done = m_program->run({"convert", "pets/train", "a.tar", "--verify", "--resize",
                                         "64", "-o", "a.millrace.json", "--json"});
    QVERIFY2(done.code == 0, done.err.constData());
    QCOMPARE(done.json()["samples"].toInt(), 8);
    QVERIFY(done.json()["proposal"].isObject());
    QVERIFY(done.json()["verified"].toBool());
    QCOMPARE(m_program->run({"inspect", "a.tar", "--json"}).json()["samples"].toInt(), 8);
    const Outcome checked = m_program->run({"check", "a.millrace.json"});
    QVERIFY2(checked.code == 0, checked.out.constData());
    const Outcome page = m_program->run({"convert", "a.tar", "back", "--to", "folder", "--verify"});
    QVERIFY2(page.code == 0, page.err.constData());
    QVERIFY(page.out.contains("every sample"));
    for (const QByteArray& line : page.out.split('\n')) QVERIFY2(line.size() <= 80, line);
  }

  /// Arrays without their types: only the pipeline that the conversion writes reads them.
  void theNextCommandReadsWhatWasWritten() {
    const Outcome raw = m_program->run(
        {"convert", "pets/train", "it's raw", "--to", "webdataset", "--resize", "8x8", "--raw"});
    QVERIFY2(raw.code == 0, raw.err.constData());
    const QString next = QString(raw.out).section("Next:\n  ", 1).trimmed();
    QStringList words =
        QProcess::splitCommand(QString(next).replace("'it'\\''s raw'", "\"it's raw\""));
    QCOMPARE(words.takeFirst(), QString("millrace"));
    QCOMPARE(words,
             QStringList({"convert", "pets/train", "it's raw", "--to", "webdataset", "--resize",
                          "8x8", "--raw", "--force", "-o", "data.millrace.json"}));
    QCOMPARE(m_program->run(words).code, 0);
    QCOMPARE(m_program->run({"check", "data.millrace.json"}).code, 0);
    // Where an inspection finds everything, it is the next step.
    const Outcome whole = m_program->run({"convert", "pets/train", "b", "--to", "mds"});
    QVERIFY2(whole.out.contains("\n  millrace inspect b "), whole.out.constData());
  }

  void wrongUseIsAnsweredWithWhatIsAllowed() {
    const auto refuses = [this](const QStringList& arguments, int code, const char* part) {
      const Outcome outcome = m_program->run(QStringList{"convert"} + arguments);
      const QByteArray said = QByteArray(outcome.err).replace("\n    ", " ");
      if (outcome.code == code && said.contains(part)) return true;
      qWarning("%d %s", outcome.code, outcome.err.constData());
      return false;
    };
    QVERIFY(refuses({"pets/train", "x"}, 2, "--to"));
    QVERIFY(refuses({"pets/train", "x", "--to", "tfrecrd"}, 2, "did you mean `tfrecord`"));
    QVERIFY(refuses({"nowhere", "x.tar"}, 2, "nowhere"));
    QVERIFY(refuses({"pets/train", "x.tar", "--resize", "wide"}, 2, "320x240"));
    QVERIFY(refuses({"pets/train", "x.tar", "--png", "--raw"}, 2, "exclude"));
    QVERIFY(refuses({"pets/train", "x.tar", "--shard-size", "1M"}, 2, "shards"));
    QVERIFY(refuses({"pets/train", "x.tar", "--gzip", "4"}, 2, "only HDF5"));
    QVERIFY(refuses({"pets/train", "x.tar", "--lz4"}, 2, "only LMDB"));
    QVERIFY(refuses({"pets/train", "pets", "--to", "folder", "--force"}, 2,
                    "must not contain each other"));
    QVERIFY(refuses({"pets/train", "x", "--to", "numpy"}, 1, "--resize"));
    QVERIFY(refuses({"pets/train", "/proc/x.tar"}, 1, "cannot write"));
    QVERIFY(!QDir(m_program->path("x.part")).exists());
  }

  void aKilledConversionLeavesNoTargetAndIsGoneOnWith() {
    const QStringList arguments{"convert", "pets/train", "set", "--to", "tfrecord", "--png"};
    auto killed = m_program->start(arguments + QStringList{"--events"});
    QVERIFY(!lineWith(*killed, "\"progress\"").isEmpty());
    killed->kill();
    QVERIFY(ended(*killed));
    QVERIFY(!QDir(m_program->path("set")).exists());
    QVERIFY(QDir(m_program->path("set.part")).exists());
    QCOMPARE(m_program->run(arguments).code, 1);
    const Outcome resumed = m_program->run(arguments + QStringList{"--resume", "--json"});
    QVERIFY2(resumed.code == 0, resumed.err.constData());
    QCOMPARE(resumed.json()["samples"].toInt(), 8);
    QVERIFY(!QDir(m_program->path("set.part")).exists());
  }

  void aFullDiskLeavesNothingOfTheTarget() {
    Program program;
    program.run({"sample-data", "photos", "--count", "4"});
    for (const char* target : {"new.lmdb", "new.tar", "new.h5"}) {
      // The first file that a conversion writes already fails.
      const Outcome outcome =
          program.shell(QString("ulimit -f 0; $MILLRACE convert photos %1").arg(target));
      QCOMPARE(outcome.code, 1);
      QVERIFY2(outcome.err.contains("cannot write"), outcome.err.constData());
      QCOMPARE(QDir(program.path("")).entryList({"new*"}), QStringList());
    }
  }

 private:
  std::unique_ptr<Program> m_program;
};

}  // namespace millrace::tests

using millrace::tests::TestConvert;
MILLRACE_TEST_CASE(TestConvert)
#include "tst_convert.moc"
