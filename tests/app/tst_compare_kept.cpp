// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs compare` for users and scripts.
#include <QFile>
#include <QJsonArray>
#include <QXmlStreamReader>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// Counts UTF-8 characters, one column each.
bool fits(const QByteArray& page) {
  for (const QByteArray& line : page.split('\n'))
    if (QString::fromUtf8(line).size() > 80) return false;
  return true;
}

}  // namespace

class TestCompareKept : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
    keep({});
    keep({"--set", "workers.count=1", "--set", "batch.size=20", "--name", "one worker"});
  }

  void showsTwoRunsSideBySide() {
    const Outcome compared = m_program->run({"runs", "compare", "1", "#2", "--graph"});
    QVERIFY2(compared.code == 0, compared.err.constData());
    QVERIFY2(fits(compared.out), compared.out.constData());
    for (const char* part :
         {"run 2 against run 1, the first one named", "one worker", "verdict", "Samples per second",
          "settings (2 of ", "workers.count", "1 repeat: no confidence interval",
          "* batch  size 10 -> 20", "* workers  count 2 -> 1"})
      QVERIFY2(compared.out.contains(part), part);
    QVERIFY(!compared.out.contains("\x1b"));
    QVERIFY(!compared.out.contains("prefetch.batches"));
    QVERIFY(m_program->run({"runs", "compare", "1", "2", "--all-settings"})
                .out.contains("prefetch.batches"));
  }

  void showsManyRunsOneBelowTheOther() {
    for (int i = 0; i < 3; ++i) keep({"--name", QString("a longer name, number %1").arg(i)});
    for (const QStringList& more : {QStringList{"3"}, {"3", "4"}, {"3", "4", "5"}}) {
      const Outcome compared = m_program->run(QStringList{"runs", "compare", "1", "2"} + more);
      QCOMPARE(compared.code, 0);
      QVERIFY2(fits(compared.out), compared.out.constData());
      QVERIFY(compared.out.contains("workers.count"));
    }
  }

  void theJsonIsOneObject() {
    const Outcome compared = m_program->run({"runs", "compare", "2", "last", "1", "--json"});
    QCOMPARE(compared.code, 2);
    const QJsonObject json = m_program->run({"runs", "compare", "2", "1", "--json"}).json();
    QCOMPARE(json["reference"].toString(), "2");
    QCOMPARE(json["runs"].toArray().size(), 2);
    QCOMPARE(json["settings"].toArray().size(), 2);
  }

  void onlyTheMetricsThatWereAskedFor() {
    const Outcome compared =
        m_program->run({"runs", "compare", "1", "2", "--metric", "peak_rss_bytes,node.items"});
    QCOMPARE(compared.code, 0);
    QVERIFY(compared.out.contains("Peak memory"));
    QVERIFY(!compared.out.contains("Samples per second"));
    QVERIFY(compared.out.contains("node.items: none of these runs has this figure"));
  }

  void refusesWhatIsNotThere_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("no run") << QStringList{} << QByteArray("two or more runs");
    QTest::newRow("one run") << QStringList{"1"} << QByteArray("two or more runs");
    QTest::newRow("unknown") << QStringList{"1", "99"} << QByteArray("no run \"99\"");
    QTest::newRow("twice") << QStringList{"1", "2", "#1"} << QByteArray("are the same run");
    QTest::newRow("no baseline") << QStringList{"baseline", "1"} << QByteArray("has no baseline");
    QTest::newRow("only the baseline")
        << QStringList{"baseline", "baseline"} << QByteArray("name a run");
    QTest::newRow("metric") << QStringList{"1", "2", "--metric", "peak_rss"}
                            << QByteArray("there is no metric `peak_rss`");
    QTest::newRow("force alone") << QStringList{"1", "2", "--force"} << QByteArray("--html");
  }
  void refusesWhatIsNotThere() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Outcome compared = m_program->run(QStringList{"runs", "compare"} + arguments);
    QCOMPARE(compared.code, 2);
    QVERIFY2(compared.err.contains(says), compared.err.constData());
    QVERIFY(compared.out.isEmpty());
  }

  void writesAPageAndOverwritesNone() {
    const QString page = m_program->path("page.html");
    const QStringList command = {"runs", "compare", "1", "2", "--html", page};
    QCOMPARE(m_program->run(command).code, 0);
    QFile file(page);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader reader(file.readAll());
    while (!reader.atEnd()) reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    const Outcome again = m_program->run(command);
    QCOMPARE(again.code, 1);
    QVERIFY(again.err.contains("page.html already exists; use --force to replace it"));
    QCOMPARE(m_program->run(command + QStringList{"--force"}).code, 0);
    const Outcome nowhere =
        m_program->run({"runs", "compare", "1", "2", "--html", m_program->path("no/page.html")});
    QCOMPARE(nowhere.code, 1);
    QVERIFY(nowhere.err.contains("no/page.html"));
  }

  void aNameThatCommandsTheTerminalIsShownHarmless() {
    keep({"--name", QString::fromUtf8("a\x1b[2Jb\nc")});
    const Outcome compared = m_program->run({"runs", "compare", "1", "3"});
    QCOMPARE(compared.code, 0);
    QVERIFY(!compared.out.contains('\x1b'));
    QVERIFY(compared.out.contains("[2Jb c"));
  }

 private:
  void keep(const QStringList& more) {
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline} + shortly() + more).code, 0);
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestCompareKept)

}  // namespace millrace::tests

#include "tst_compare_kept.moc"
