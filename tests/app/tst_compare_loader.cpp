// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace compare` with a user's own loader as a side, run by a real python3; and what the
// commands that take only pipelines say about a loader.
#include <QJsonArray>
#include <QStandardPaths>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// At most 2000 samples in a second.
const QByteArray kLoader = R"py(import time

class Loader:
    def __iter__(self):
        for i in range(50):
            time.sleep(0.002)
            yield [1, 2, 3, 4]

loader = Loader()
def broken():
    yield [1]
    raise ValueError("no more")
)py";

}  // namespace

class TestCompareLoader : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
  }

  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("mine.py", kLoader);
    m_program->write("p.json", syntheticPipeline());
  }

  void aLoaderIsMeasuredInTurnWithAPipeline() {
    const Outcome compared = compare({"mine.py:loader", "p.json", "--repeats", "2", "--json"});
    QVERIFY2(compared.code == 0, compared.err.constData());
    const QJsonObject json = compared.json();
    QCOMPARE(json["outcome"].toString(), "finished");
    QCOMPARE(json["verdict"].toObject()["measured"].toString(), "together");
    const double rate = json["a"]["samples_per_second"]["mean"].toDouble();
    QVERIFY2(rate > 4 && rate < 2000, qPrintable(QString::number(rate)));
    QVERIFY(json["b"]["samples_per_second"]["mean"].toDouble() > 0);
    QCOMPARE(json["a"]["repeats"].toArray().size(), 2);
    const QJsonArray differences = json["differences"].toArray();
    QCOMPARE(differences.size(), 1);
    QCOMPARE(differences[0]["b"].toString(), "a pipeline");
    const QJsonObject kept = m_program->run({"runs", "show", "1", "--json"}).json();
    QCOMPARE(kept["state"].toString(), "finished");
    QCOMPARE(kept["environment"]["origin"].toString(), "loader");
    QCOMPARE(kept["environment"]["loader_kind"].toString(), "mine.Loader");
    QCOMPARE(kept["repeats"].toArray().size(), 2);
  }

  /// The step of both has the length that is asked for.
  void aStepFollowsTheBatchesOfBoth() {
    const QJsonObject json =
        compare({"p.json", "mine.py:loader", "--repeats", "1", "--step", "20ms", "--json"}).json();
    for (const char* side : {"a", "b"}) {
      const QJsonObject repeat = json[side]["repeats"].toArray()[0].toObject();
      const double batches = repeat["batches"].toDouble() / repeat["seconds"].toDouble();
      QVERIFY2(batches > 1 && batches <= 60, qPrintable(QString::number(batches)));
    }
  }

  void whatDiffersBetweenTwoLoadersIsNamed() {
    const Outcome same = compare({"mine.py:loader", "mine.py:loader", "--repeats", "1"});
    QVERIFY2(same.out.contains("settings: the same on both sides"), same.out.constData());
    const QJsonObject other =
        compare({"mine.py:loader", "mine.py:Loader", "--repeats", "1", "--json"}).json();
    QCOMPARE(other["differences"].toArray().size(), 1);
    QCOMPARE(other["differences"][0]["a"].toString(), "loader");
  }

  void aLoaderThatFailsEndsTheComparison() {
    const Outcome compared = compare({"p.json", "mine.py:broken", "--warmup", "0"});
    QCOMPARE(compared.code, 1);
    QVERIFY2(compared.out.contains("ValueError: no more"), compared.out.constData());
  }

  void whatDoesNotFitIsASentence_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("no file") << QStringList{"other.py:loader", "p.json"}
                             << QByteArray("A: other.py does not exist");
    QTest::newRow("no interpreter")
        << QStringList{"mine.py:loader", "p.json", "--python", "no-python"}
        << QByteArray("no-python");
    QTest::newRow("a setting of a pipeline")
        << QStringList{"mine.py:loader", "p.json", "--set", "A:batch.size=2"}
        << QByteArray("A:batch.size=2 is meant for a pipeline");
    QTest::newRow("data") << QStringList{"p.json", "mine.py:loader", "--data", "B:."}
                          << QByteArray("B:. is meant for a pipeline");
    QTest::newRow("not an argument")
        << QStringList{"mine.py:loader", "p.json", "--set", "A:num_workers"}
        << QByteArray("NAME=VALUE");
  }
  void whatDoesNotFitIsASentence() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, sentence);
    const Outcome compared = compare(arguments);
    QCOMPARE(compared.code, 2);
    QVERIFY2(compared.err.contains(sentence), compared.err.constData());
  }

 private:
  Outcome compare(QStringList arguments) const {
    arguments.prepend("compare");
    arguments << "--seconds" << "0.3";
    if (!arguments.contains("--warmup")) arguments << "--warmup" << "0.1";
    return m_program->run(arguments);
  }

  std::unique_ptr<Program> m_program;
};

MILLRACE_TEST_CASE(TestCompareLoader)

}  // namespace millrace::tests

#include "tst_compare_loader.moc"
