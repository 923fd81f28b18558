// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A user's own loader where commands take a pipeline.
#include <QStandardPaths>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestLoaderWords : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    m_program.write("mine.py",
                    "import time\nclass Loader:\n  def __iter__(self):\n"
                    "    for i in range(50):\n      time.sleep(0.002)\n      yield [1, 2]\n"
                    "loader = Loader()\n");
  }

  void runMeasuresIt() {
    const Outcome outcome = m_program.run({"run", "--seconds", "0.3", "mine.py:loader", "--warmup",
                                           "0.1", "--repeats", "1", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(outcome.json()["samples"].toInt() > 0);
    QCOMPARE(m_program.runCount("environment.origin = loader"), 1);
    // What only a pipeline has is refused by the command that measures loaders.
    const Outcome cold = m_program.run({"run", "mine.py:loader", "--cold"});
    QCOMPARE(cold.code, 2);
    QVERIFY2(cold.err.contains("--cold") && cold.err.contains("millrace loader --help"),
             cold.err.constData());
  }

  void inspectShowsWhatItIs() {
    m_program.write("sized.py",
                    "class Sized:\n  def __len__(self): return 50\n"
                    "  def __iter__(self): return iter([{'x': [1, 2]}] * 50)\n"
                    "sized = Sized()\nendless = iter(int, 1)\n");
    const Outcome shown = m_program.run({"inspect", "sized.py:sized"});
    QVERIFY2(shown.code == 0, shown.err.constData());
    const QByteArray words = shown.out.simplified();
    for (const char* part : {"sized.py:sized, a sized.Sized", "length 50 items",
                             "batch 2 samples: dict of x: list of 2 int", "steps"})
      QVERIFY2(part == QByteArray("steps") ? !words.contains(part) : words.contains(part),
               words.constData());
    QCOMPARE(m_program.runCount("pipeline = \"sized.py:sized\""), 0);
    const QJsonObject json = m_program.run({"inspect", "sized.py:sized", "--json"}).json();
    QCOMPARE(json["class"].toString(), "sized.Sized");
    QCOMPARE(json["length"].toString(), "50 items");
    QCOMPARE(json["samples"].toInt(), 2);
    QVERIFY(!m_program.run({"inspect", "sized.py:endless"}).out.contains("length"));
    const Outcome written = m_program.run({"inspect", "sized.py:sized", "-o", "a.millrace.json"});
    QCOMPARE(written.code, 2);
    QVERIFY(written.err.contains("millrace import"));
    const Outcome missing = m_program.run({"inspect", "sized.py:other"});
    QCOMPARE(missing.code, 2);
    QVERIFY(missing.err.contains("the file has no `other`"));
  }

  void onlyTheArgumentOfTheCommandIsALoader() {
    const QString pipeline = m_program.write("p.json", syntheticPipeline());
    const QStringList few{"--batches", "2", "--repeats", "1", "--warmup", "0"};
    for (const QStringList& named : {QStringList{"run", pipeline, "--name", "a.py:b"},
                                     {"run", "--name", "a.py:b", pipeline},
                                     {"--color", "never", "run", pipeline, "--name=a.py:b"}}) {
      const Outcome outcome = m_program.run(named + few);
      QVERIFY2(outcome.code == 0, outcome.err.constData());
    }
    QCOMPARE(m_program.runCount("name = 'a.py:b'"), 3);
    // The value of an option before the command is not the command.
    const Outcome loader =
        m_program.run({"--color", "never", "run", "--name", "mine", "mine.py:loader", "--cold"});
    QVERIFY2(loader.err.contains("millrace loader --help"), loader.err.constData());
  }

  void tuneVariesItsArguments() {
    const Outcome outcome = m_program.run({"tune", "mine.py:loader", "--seconds", "0.3"});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("only the arguments of a PyTorch DataLoader"),
             outcome.err.constData());
  }

  void whatHasNoMeaningForItNamesTheRightCommand_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("sweep") << QStringList{"sweep", "mine.py:loader", "--vary", "num_workers=1,2"};
    QTest::newRow("check") << QStringList{"check", "mine.py:loader"};
    QTest::newRow("export") << QStringList{"export", "mine.py:loader", "--to", "python"};
    QTest::newRow("preview") << QStringList{"preview", "mine.py:loader"};
  }
  void whatHasNoMeaningForItNamesTheRightCommand() {
    QFETCH(QStringList, arguments);
    const Outcome outcome = m_program.run(arguments);
    QCOMPARE(outcome.code, 2);
    const QByteArray words = (outcome.out + outcome.err).simplified();
    for (const char* command : {"is a loader of your own", "`millrace loader mine.py:loader`",
                                "--tune`", "`millrace import mine.py:loader -o FILE`"})
      QVERIFY2(words.contains(command), words.constData());
  }

 private:
  Program m_program;
};

MILLRACE_TEST_CASE(TestLoaderWords)

}  // namespace millrace::tests

#include "tst_loader_words.moc"
