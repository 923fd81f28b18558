// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The store from the commands' view: what is kept, and unusable stores.
#include <sys/stat.h>
#include <unistd.h>

#include <QFile>
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestKeptRuns : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
  }

  void saysThatThereAreNoRunsYet() {
    const Outcome listed = m_program->run({"runs", "list"});
    QCOMPARE(listed.code, 0);
    QVERIFY(listed.out.contains("no runs yet"));
    QVERIFY2(!QFile::exists(m_program->path("data/millrace/runs.db")), "looking makes no store");
    QCOMPARE(m_program->run({"runs", "show", "last"}).code, 2);
  }

  void listsAndShowsARun() {
    QCOMPARE(m_program
                 ->run(QStringList{"run", m_pipeline, "--tag", "draft", "--set", "batch.size=7"} +
                       shortly())
                 .code,
             0);
    const Outcome listed = m_program->run({"runs", "list"});
    QVERIFY(listed.out.contains("finished"));
    QVERIFY(listed.out.contains("#draft"));
    for (const QByteArray& line : listed.out.split('\n')) QVERIFY(line.size() <= 80);
    const Outcome shown = m_program->run({"runs", "show", "1"});
    QCOMPARE(shown.code, 0);
    for (const char* part : {"batch.size", "where the time went", "queues", "cores_online",
                             "Batches per second", "samples/s"})
      QVERIFY2(shown.out.contains(part), part);
    const QJsonObject json = m_program->run({"runs", "show", "last", "--json"}).json();
    QCOMPARE(json["settings"].toObject()["batch.size"].toInt(), 7);
    QCOMPARE(json["tags"].toArray().first().toString(), "draft");
    QCOMPARE(m_program->run({"runs", "list", "--experiment", "other", "--json"}).out.trimmed(),
             "[]");
  }

  void refusesAnIdThatIsNotThere() {
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline} + shortly()).code, 0);
    const Outcome shown = m_program->run({"runs", "show", "99"});
    QCOMPARE(shown.code, 2);
    QVERIFY(shown.err.contains("99"));
    const Outcome unknown = m_program->run({"runs", "shw", "1"});
    QCOMPARE(unknown.code, 2);
    QVERIFY(unknown.err.contains("did you mean `show`"));
  }

  /// Each would measure for hours.
  void whatCannotBeKeptIsNotMeasured() {
    const QString text = m_program->write("notes.txt", "dear diary");
    const QStringList hours = {"--seconds", "1000"};
    const QList<QStringList> commands = {
        QStringList{"run", m_pipeline} + hours,
        QStringList{"compare", m_pipeline, m_pipeline} + hours,
        QStringList{"diagnose", m_pipeline} + hours,
        QStringList{"sweep", m_pipeline, "--vary", "workers.count=1,2"} + hours,
        QStringList{"tune", m_pipeline, "--budget", "10000s"} + hours};
    for (const QStringList& command : commands) {
      for (const auto& [store, why] :
           {std::pair{text, "is not an SQLite database"},
            std::pair{m_program->path(""), "it is a folder"},
            std::pair{m_program->path("notes.txt/runs.db"), "cannot make the folder"}}) {
        const Outcome outcome = m_program->run(command + QStringList{"--store", store, "--json"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(why), outcome.err.constData());
        QVERIFY2(outcome.err.contains("choose another file with --store, or measure without "
                                      "keeping it with --no-store"),
                 outcome.err.constData());
        QVERIFY2(outcome.json()["error"].toString().contains(why), outcome.out.constData());
      }
    }
    QFile file(text);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), "dear diary");
  }

  void aReaderOfEventsDecidesWhetherARunThatIsNotKeptGoesOn() {
    const QString store = m_program->write("notes.txt", "dear diary");
    const Outcome run = m_program->shell("$MILLRACE run " + m_pipeline + " --events --store " +
                                         store + " " + shortly().join(' ') + " </dev/null");
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("error: this run is not kept"), run.err.constData());
    QVERIFY2(run.out.contains("\"event\":\"result\""), run.out.right(300).constData());
  }

  void aReadOnlyStoreIsNamed() {
    if (::geteuid() == 0) QSKIP("root may write what is read-only");
    const QString store = m_program->path("runs.db");
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline, "--store", store} + shortly()).code, 0);
    ::chmod(store.toUtf8().constData(), 0444);
    const Outcome run =
        m_program->run(QStringList{"run", m_pipeline, "--store", store} + shortly());
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains("is read-only"), run.err.constData());
  }

 private:
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestKeptRuns)

}  // namespace millrace::tests

#include "tst_kept_runs.moc"
