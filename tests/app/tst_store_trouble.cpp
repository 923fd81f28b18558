// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stores locked by another program, and full disks: changes fail with a sentence, measurements
// continue.
#include <sqlite3.h>

#include "tests/app/program.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// Holds the write lock of a store, like another program's long transaction.
class Lock {
 public:
  explicit Lock(const QString& file) {
    m_held = sqlite3_open(qPrintable(file), &m_handle) == SQLITE_OK && run("BEGIN IMMEDIATE");
  }
  ~Lock() { sqlite3_close(m_handle); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return m_held; }

 private:
  bool run(const char* sql) {
    return sqlite3_exec(m_handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  sqlite3* m_handle = nullptr;
  bool m_held = false;
};

}  // namespace

class TestStoreTrouble : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline} + shortly()).code, 0);
  }

  /// All three at once, because each waits for the lock.
  void aLockedStoreStopsChangesAndNoMeasuring() {
    const Lock lock(store());
    QVERIFY(lock.held());
    auto tag = m_program->start({"runs", "tag", "1", "+x"});
    auto run = m_program->start(QStringList{"run", m_pipeline} + shortly());
    auto compare = m_program->start(QStringList{"compare", m_pipeline, m_pipeline} + shortly());
    const Outcome tagged = outcomeOf(*tag);
    QCOMPARE(tagged.code, 1);
    QVERIFY2(tagged.err.contains("runs.db is locked by another program"), tagged.err.constData());
    QVERIFY(tagged.out.isEmpty());
    const Outcome ran = outcomeOf(*run);
    QCOMPARE(ran.code, 1);
    QVERIFY2(ran.err.contains("this run is not kept"), ran.err.constData());
    QVERIFY2(ran.err.contains("is locked by another program"), ran.err.constData());
    QVERIFY(ran.out.contains("samples/s") && !ran.out.contains("kept as"));
    const Outcome compared = outcomeOf(*compare);
    QCOMPARE(compared.code, 1);
    QVERIFY2(compared.err.contains("this comparison is not kept"), compared.err.constData());
    QVERIFY2(compared.err.contains("is locked by another program"), compared.err.constData());
    QVERIFY(compared.out.contains("samples/s") && !compared.out.contains("kept as"));
    QVERIFY2(m_program->run({"runs", "list"}).out.contains("p.json"), "reading needs no lock");
  }

  /// 40 kB: enough for the files that SQLite keeps next to an open store, too little for the
  /// change.
  void aFullDiskStopsAChangeAndLeavesWhatWasThere() {
    const Outcome tagged = m_program->shell(
        "ulimit -f 40; $MILLRACE runs tag 1 $(for i in {1..2000}; do echo +a-tag-with-a-name-$i; "
        "done)");
    QCOMPARE(tagged.code, 1);
    QVERIFY2(tagged.err.contains("runs.db cannot"), tagged.err.constData());
    QVERIFY(tagged.out.isEmpty());
    QCOMPARE(m_program->run({"runs", "tag", "1"}).out, "run 1: no tags\n");
    QCOMPARE(QByteArray(rawText(store().toStdString(), "PRAGMA integrity_check").c_str()), "ok");
  }

  void aDiskThatFillsWhileMeasuringIsSaidOnceAndTheRunGoesOn_data() {
    QTest::addColumn<QString>("command");
    QTest::newRow("run") << "run p.json";
    QTest::newRow("compare") << "compare p.json p.json";
  }
  void aDiskThatFillsWhileMeasuringIsSaidOnceAndTheRunGoesOn() {
    QFETCH(QString, command);
    const QString full = "ulimit -f 40; $MILLRACE " + command + " " + shortly().join(' ');
    const Outcome measured = m_program->shell(full);
    QCOMPARE(measured.code, 1);
    QVERIFY2(measured.out.contains("samples/s"), measured.out.constData());
    QCOMPARE(measured.err.count("runs.db cannot"), 1);
    const Outcome refused = m_program->shell(full + " --store new.db");
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.out.isEmpty(), refused.out.constData());
    QCOMPARE(refused.err.count("new.db cannot"), 1);
  }

 private:
  QString store() const { return m_program->path("data/millrace/runs.db"); }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestStoreTrouble)

}  // namespace millrace::tests

#include "tst_store_trouble.moc"
