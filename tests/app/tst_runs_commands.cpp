// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace runs`: list, tag, note, baseline, delete, export, import, backup, tidy, and stores that
// cannot be used.
#include <QDir>
#include <QFile>
#include <QJsonArray>

#include "core/metrics/metric_spec.h"
#include "core/store/run_store.h"
#include "tests/app/program.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestRunsCommands : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", syntheticPipeline());
    m_store = m_program->path("data/millrace/runs.db");
  }

  void listsByQuerySortAndColumns() {
    keep({"--set", "workers.count=1", "--tag", "draft"});
    keep({"--set", "workers.count=3", "--name", "three \"quoted\"\n\u0434\u043e\u043c"});
    const Outcome list = runs(
        {"list", "workers.count > 1 and not tag:draft", "--columns", "number,workers.count,name"});
    QCOMPARE(list.code, 0);
    QCOMPARE(list.out,
             "number  workers.count  name\n"
             "     2              3  three \"quoted\" \u0434\u043e\u043c\n");
    QCOMPARE(runs({"list", "--sort", "-workers.count", "--columns", "number", "--csv"}).out,
             "number\n2\n1\n");
    QCOMPARE(runs({"list", "--sort", "workers.count", "--columns", "number,tag", "--csv"}).out,
             "number,tag\n1,draft\n2,\n");
    const QJsonArray json = array({"list", "tag:draft", "--columns", "workers.count", "--json"});
    QCOMPARE(json.size(), 1);
    QCOMPARE(json[0].toObject()["columns"].toObject()["workers.count"].toInt(), 1);
    QVERIFY(runs({"list", "tag", "=", "none"}).out.contains("no run matches"));
    QVERIFY(runs({"list", "--limit", "1"}).out.contains("1 of 2 runs"));
    for (const QByteArray& line : runs({"list"}).out.split('\n'))
      QVERIFY(QString::fromUtf8(line).size() <= 80);
  }

  void aMistakeInAQueryIsMarked() {
    keep({});
    const Outcome list = runs({"list", "workers.cuont > 2"});
    QCOMPARE(list.code, 2);
    QCOMPARE(list.err,
             "error: no setting, figure or field is called `workers.cuont`; did you mean "
             "`workers.count`?\n    workers.cuont > 2\n    ^~~~~~~~~~~~~\n");
    QVERIFY(list.out.isEmpty());
    QCOMPARE(runs({"list", "--sort", "wokers.count"}).code, 2);
    QCOMPARE(runs({"list", "--columns", "numbr"}).code, 2);
    QVERIFY(runs({"list", "name = '\xff' x"}).err.contains("\xef\xbf\xbd"));
  }

  void everyFigureThatIsKeptIsDescribed() {
    keep({});
    auto store = RunStore::open(m_store.toStdString());
    VERIFY_OK(store);
    const auto details = store->show(RunNumber{1});
    QVERIFY(!details->figures.empty());
    for (const FigureRecord& figure : details->figures) {
      const std::string id = figure.metric.substr(0, figure.metric.find('.'));
      QVERIFY2(findMetric(id) != nullptr, figure.metric.c_str());
      QVERIFY2(findField(figure.metric, {}).has_value(), figure.metric.c_str());
    }
  }

  void tagsNotesAndBaseline() {
    keep({});
    keep({"--experiment", "photos"});
    QCOMPARE(runs({"tag", "1", "last", "+quiet", "+it's", "+h"}).out,
             "run 1: h it's quiet\nrun 2: h it's quiet\n");
    QCOMPARE(runs({"tag", "1", "-quiet", "-h"}).out, "run 1: it's\n");
    QCOMPARE(runs({"tag", "1"}).out, "run 1: it's\n");
    QCOMPARE(runs({"tag", "+x"}).code, 2);
    QCOMPARE(runs({"tag", "1", "--x"}).code, 2);
    QCOMPARE(runs({"tag", "99", "+x"}).code, 2);
    QCOMPARE(runs({"note", "1", "first"}).code, 0);
    QCOMPARE(m_program->run({"runs", "note", "1", "--append", "-"}, "second \xff\n").code, 0);
    QCOMPARE(runs({"note", "1"}).out, "first\nsecond \\xff\n");
    QCOMPARE(runs({"note", "1", ""}).code, 0);
    QCOMPARE(runs({"note", "1"}).out, "");
    QCOMPARE(runs({"baseline"}).out, "no experiment has a baseline\n");
    QCOMPARE(runs({"baseline", "2"}).out, "run 2 is the baseline of the experiment photos\n");
    QVERIFY(runs({"baseline"}).out.contains("photos"));
    QCOMPARE(array({"list", "baseline", "--json"}).size(), 1);
    QCOMPARE(runs({"baseline", "--clear", "nowhere"}).code, 2);
    QCOMPARE(runs({"baseline", "--clear", "photos"}).code, 0);
    QCOMPARE(array({"baseline", "--json"}).size(), 0);
  }

  void deletesByNumberAndByQuery() {
    for (int i = 0; i < 3; ++i) keep({"--tag", i == 1 ? "old" : "new"});
    QCOMPARE(runs({"delete"}).code, 2);
    QCOMPARE(runs({"delete", "--dry-run", "tag:old"}).out, "would delete 1 run: 2\n");
    QCOMPARE(array({"list", "--json"}).size(), 3);
    QCOMPARE(runs({"delete", "tag:old"}).out, "deleted 1 run: 2\n");
    QCOMPARE(runs({"delete", "tag:old"}).out, "no run matches\n");
    QCOMPARE(runs({"delete", "1", "99"}).code, 2);
    QCOMPARE(array({"list", "--json"}).size(), 2);
    QCOMPARE(runs({"delete", "1", "3"}).out, "deleted 2 runs: 1 and 3\n");
    QVERIFY(
        runs({"list"}).out.contains("`millrace runs restore` brings deleted ones back (3 runs)"));
    QVERIFY(runs({"tidy"}).out.contains("freed"));
    QVERIFY(runs({"list"}).out.contains("no runs yet"));
  }

  void aDeletionCanBeUndoneByALaterCommand() {
    for (int i = 0; i < 3; ++i) keep({});
    const Outcome deleted = runs({"delete", "1"});
    QVERIFY2(deleted.err.contains("runs restore"), deleted.err.constData());
    QCOMPARE(runs({"delete", "2", "3"}).out, "deleted 2 runs: 2 and 3\n");
    QCOMPARE(array({"list", "--json"}).size(), 0);
    QVERIFY(runs({"restore", "--list"}).out.contains("     1  deleted "));
    QCOMPARE(runs({"restore"}).out, "restored 2 runs: 2 and 3\n");
    QCOMPARE(runs({"restore", "2"}).code, 2);
    QCOMPARE(runs({"restore", "1"}).out, "restored 1 run: 1\n");
    QCOMPARE(array({"list", "--json"}).size(), 3);
    QCOMPARE(runs({"delete", "--all"}).out, "deleted 3 runs: 1, 2 and 3\n");
    QCOMPARE(runs({"restore", "--all"}).code, 0);
    QCOMPARE(array({"list", "--json"}).size(), 3);
    QCOMPARE(runs({"delete", "1"}).code, 0);
    QVERIFY(runs({"tidy"}).out.contains("removed 1 run that was deleted"));
    QCOMPARE(runs({"restore"}).out, "there are no deleted runs\n");
  }

  void anEmptyQueryNeverMeansAllRuns() {
    keep({});
    for (const QStringList& command : {QStringList{"delete", ""},
                                       {"delete", " "},
                                       {"delete"},
                                       {"delete", "--experiment", ""},
                                       {"list", ""},
                                       {"export", ""},
                                       {"import", m_store, ""},
                                       {"tag", "", "+x"},
                                       {"note", "", "x"},
                                       {"baseline", ""},
                                       {"compare", "", "1"},
                                       {"list", "--store", ""}}) {
      const Outcome outcome = runs(command);
      QVERIFY2(outcome.code == 2, command.join(' ').toUtf8());
      QVERIFY2(outcome.err.contains("empty") || command.size() == 1, outcome.err.constData());
    }
    QCOMPARE(array({"list", "--json"}).size(), 1);
    QCOMPARE(runs({"note", "1", ""}).code, 0);
  }

  void aStoreThatDoesNotExistIsReported() {
    keep({});
    for (const char* command : {"list", "export", "tidy", "baseline"}) {
      const Outcome outcome = runs({command, "--store", m_program->path("typo.db")});
      QCOMPARE(outcome.code, 2);
      QVERIFY2(outcome.err.contains("there is no store"), outcome.err.constData());
    }
  }

  void exportsWholeFilesAndReplacesNoneUnasked() {
    keep({"--set", "workers.count=1", "--name", "a, \"b\"\nc"});
    keep({"--set", "workers.count=2"});
    const QString file = m_program->path("out.csv");
    QVERIFY(runs({"export", "-o", file}).out.startsWith("2 runs in "));
    const QByteArray csv = content(file);
    QVERIFY(csv.startsWith("number,uid,started"));
    QVERIFY(csv.contains("\"a, \"\"b\"\"\nc\""));
    QVERIFY2(csv.contains(",workers.count\n"), "settings that differ are columns");
    QVERIFY2(!csv.contains("batch.size"), "settings that are the same are not");
    const Outcome again = runs({"export", "-o", file, "--to", "json"});
    QCOMPARE(again.code, 1);
    QVERIFY(again.err.contains("already exists; use --force to replace it"));
    QCOMPARE(content(file), csv);
    QCOMPARE(runs({"export", "number = 2", "-o", file, "--to", "json", "--force"}).code, 0);
    const QJsonArray json = QJsonDocument::fromJson(content(file)).array();
    QCOMPARE(json.size(), 1);
    QCOMPARE(json[0].toObject()["settings"].toObject()["workers.count"].toInt(), 2);
    const auto exported = [&](const QStringList& which) {
      const QByteArray text = runs(QStringList{"export", "--to", "json"} + which).out;
      return QJsonDocument::fromJson(text).array().size();
    };
    QCOMPARE(exported({"last"}), 1);
    QCOMPARE(exported({"1", "2"}), 2);
    QCOMPARE(runs({"export", "99"}).code, 2);
    const Outcome full = runs({"export", "-o", "/dev/full", "--force"});
    QCOMPARE(full.code, 1);
    QVERIFY2(full.err.contains("cannot write /dev/full: No space left"), full.err.constData());
    QCOMPARE(runs({"export", "-o", m_program->path("absent/x.csv")}).code, 1);
  }

  void aFileThatGrowsTooLargeLeavesWhatWasThere() {
    keep({});
    QCOMPARE(m_program->run({"runs", "note", "1", "-"}, QByteArray(100'000, 'n')).code, 0);
    const QString file = m_program->write("out.json", "before");
    // 40 kB: enough for the files that SQLite keeps next to an open store, too little for the
    // output.
    const Outcome limited =
        m_program->shell("ulimit -f 40; $MILLRACE runs export --to json --force -o out.json");
    QCOMPARE(limited.code, 1);
    QVERIFY2(limited.err.contains("cannot write"), limited.err.constData());
    QCOMPARE(content(file), "before");
    QVERIFY(QDir(m_program->path("")).entryList({"*.part*"}).isEmpty());
    const Outcome backup = m_program->shell("ulimit -f 40; $MILLRACE runs backup copy.db");
    QCOMPARE(backup.code, 1);
    QVERIFY2(backup.err.contains("the store copy.db cannot"), backup.err.constData());
    QVERIFY2(!backup.err.contains("--store"), backup.err.constData());
    QVERIFY(QDir(m_program->path("")).entryList({"copy*"}).isEmpty());
  }

  void importsFromAnotherStoreOnce() {
    keep({"--tag", "keep"});
    keep({});
    QCOMPARE(runs({"baseline", "1"}).code, 0);
    const QString other = m_program->path("other.db");
    QCOMPARE(runs({"import", m_store, "tag:keep", "--store", other}).out, "1 run imported\n");
    QCOMPARE(runs({"import", m_store, "--store", other}).out,
             "1 run imported, 1 was here already\n");
    const Outcome json = runs({"import", m_store, "--store", other, "--json"});
    QCOMPARE(json.json()["already_there"].toInt(), 2);
    QCOMPARE(array({"list", "baseline and tag:keep", "--store", other, "--json"}).size(), 1);
    QCOMPARE(runs({"import", m_store}).code, 2);
    for (const QString& file : {m_program->write("x.db", "no store at all, just text"),
                                m_program->path("absent.db"), m_program->path("")}) {
      const Outcome refused = runs({"import", file});
      QCOMPARE(refused.code, 1);
      QVERIFY2(refused.err.contains("choose another file\n"), refused.err.constData());
    }
  }

  void backsUpAndReadsTheCopy() {
    keep({});
    const QString copy = m_program->path("copy.db");
    QCOMPARE(runs({"backup", copy}).code, 0);
    QCOMPARE(array({"list", "--store", copy, "--json"}).size(), 1);
    QCOMPARE(runs({"backup", copy}).code, 1);
    QCOMPARE(runs({"backup", copy, "--force"}).code, 0);
    QCOMPARE(runs({"backup", m_store, "--force"}).code, 2);
  }

  void aStoreThatCannotBeUsedIsASentence_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("words");
    QTest::newRow("newer") << "PRAGMA user_version = 99" << "was written by a newer Millrace";
    QTest::newRow("foreign") << "PRAGMA application_id = 7" << "is not a Millrace store";
  }
  void aStoreThatCannotBeUsedIsASentence() {
    QFETCH(QString, sql);
    QFETCH(QString, words);
    keep({});
    QVERIFY(rawSql(m_store.toStdString(), sql.toStdString()));
    for (const QStringList& command :
         {QStringList{"list"}, {"tag", "1", "+x"}, {"delete", "1"}, {"export"}, {"tidy"}}) {
      const Outcome outcome = runs(command);
      QCOMPARE(outcome.code, 1);
      QVERIFY2(outcome.err.contains(words.toUtf8()), outcome.err.constData());
      QVERIFY(outcome.err.contains("runs.db"));
    }
  }

  void whatADamagedPageLeavesIsShown() {
    keep({});
    const std::string page =
        rawText(m_store.toStdString(), "SELECT rootpage FROM sqlite_schema WHERE name = 'windows'");
    rawText(m_store.toStdString(), "PRAGMA wal_checkpoint(TRUNCATE)");
    QFile file(m_store);
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek((QByteArray(page.c_str()).toLongLong() - 1) * 4096);
    file.write(QByteArray(4096, '\xa5'));
    file.close();
    QCOMPARE(runs({"list"}).code, 0);
    const Outcome shown = runs({"show", "1"});
    QCOMPARE(shown.code, 1);
    QVERIFY(shown.out.contains("environment"));
    QVERIFY2(shown.err.contains("windows of repeat 1 of this run cannot be read"),
             shown.err.constData());
    const Outcome exported = runs({"export", "--to", "json"});
    QCOMPARE(exported.code, 1);
    QVERIFY2(exported.err.contains("1 run cannot be read"), exported.err.constData());
    const Outcome imported = runs({"import", m_store, "--store", m_program->path("new.db")});
    QCOMPARE(imported.code, 1);
    QVERIFY(imported.out.startsWith("0 runs imported"));
  }

  void aFolderNameThatIsNotUtf8IsPrintedWithTheseBytesInHexadecimal() {
    const Outcome outcome = m_program->shell(
        "mkdir $'caf\\xe9' && echo text > $'caf\\xe9/x.db' && "
        "$MILLRACE runs list --store $'caf\\xe9/x.db'");
    // Qt cannot remove a file that it cannot name.
    m_program->shell("rm -r $'caf\\xe9'");
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("caf\\xe9/x.db"), outcome.err.constData());
  }

 private:
  Outcome runs(QStringList arguments) {
    arguments.prepend("runs");
    return m_program->run(arguments);
  }
  QJsonArray array(const QStringList& arguments) {
    return QJsonDocument::fromJson(runs(arguments).out).array();
  }
  void keep(const QStringList& flags) {
    QCOMPARE(m_program->run(QStringList{"run", m_pipeline} + flags + shortly()).code, 0);
  }
  static QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QProcessEnvironment environment() const {
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    all.insert("HOME", m_program->path(""));
    all.insert("MILLRACE_STORE", m_store);
    return all;
  }

  std::unique_ptr<Program> m_program;
  QString m_pipeline;
  QString m_store;
};

MILLRACE_TEST_CASE(TestRunsCommands)

}  // namespace millrace::tests

#include "tst_runs_commands.moc"
