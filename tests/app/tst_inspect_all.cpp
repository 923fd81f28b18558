// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `inspect --all`: the page, lists that can be used, JSON, events, and stopping.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <QDir>
#include <QFile>
#include <QJsonArray>

#include "core/codecs/encode.h"
#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestInspectAll : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    const Outcome made =
        m_program->run({"sample-data", "pets", "--kind", "cats-vs-dogs", "--count", "8"});
    QVERIFY2(made.code == 0, made.err.constData());
  }

  void aSoundDataSetHasFiguresAndNoBrokenSample() {
    const Outcome page = m_program->run({"inspect", "--all", m_program->path("pets")});
    QVERIFY2(page.code == 0, page.err.constData());
    QVERIFY2(page.out.contains("every sample of "), page.out.constData());
    QVERIFY2(page.out.contains("--set normalise.mean=0."), page.out.constData());
    QVERIFY2(!page.out.contains("broken  "), page.out.constData());
  }

  void damageIsNamedListedAndLeftOutOfTheManifest() {
    damage();
    const QString pets = m_program->path("pets");
    const Outcome page = m_program->run({"inspect", "--all", pets});
    QVERIFY2(page.out.contains("1 cannot be decoded"), page.out.constData());
    QVERIFY2(page.out.contains("not an image"), page.out.constData());
    QVERIFY2(page.out.contains("--list clean --csv -o clean.csv"), page.out.constData());
    const Outcome list = m_program->run({"inspect", "--all", pets, "--list", "broken"});
    QCOMPARE(list.out.trimmed(), (m_broken + "\n").toUtf8().trimmed());
    const Outcome table = m_program->run({"inspect", "--all", pets, "--list", "all", "--csv"});
    QVERIFY2(table.out.startsWith("finding,set,sample,path,reason,like_set,like\nbroken,"),
             table.out.constData());
    const QString clean = m_program->path("clean.csv");
    const Outcome written =
        m_program->run({"inspect", "--all", pets, "--list", "clean", "--csv", "-o", clean});
    QVERIFY2(written.code == 0, written.err.constData());
    QFile file(clean);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray rows = file.readAll();
    QVERIFY2(rows.startsWith("image,label\n"), rows.constData());
    QVERIFY(!rows.contains("broken.jpg"));
    const Outcome manifest = m_program->run({"inspect", clean});
    QVERIFY2(manifest.code == 0, (manifest.out + manifest.err).constData());
    QVERIFY2(manifest.out.contains("table of pictures"), manifest.out.constData());
  }

  void aCleanListNamesEveryFile() {
    std::vector<std::uint8_t> pixels(std::size_t{3} * 40 * 30);
    std::size_t factor = 1;
    for (const std::string name : {"a/bell\x07.png", "a/lat\xe9in.png", "b/caf\xc3\xa9.png",
                                   "b/=1.png", "b/a,b\"c.png", "b/line\nend.png"}) {
      for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(i * factor + i / 90);
      factor += 6;
      const auto png = encodePng({pixels.data(), 40, 30, 3, 120}).take();
      const std::filesystem::path file =
          std::filesystem::path(m_program->path("odd").toStdString()) / name;
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary)
          .write(reinterpret_cast<const char*>(png.data()), std::streamsize(png.size()));
    }
    const QString clean = m_program->path("odd.csv");
    const Outcome written = m_program->run(
        {"inspect", "--all", m_program->path("odd"), "--list", "clean", "--csv", "-o", clean});
    QVERIFY2(written.code == 0, written.err.constData());
    const QJsonObject found = m_program->run({"inspect", clean, "--json"}).json();
    QCOMPARE(found["samples"].toInt(), 6);
    const Outcome all = m_program->run({"inspect", "--all", clean, "--json"});
    QVERIFY2(all.code == 0, all.err.constData());
    QVERIFY2(!all.out.contains("\"broken\""), all.out.constData());
  }

  void theReportIsOneJsonObjectAndTheLastEvent() {
    damage();
    const QString pets = m_program->path("pets");
    const QJsonObject report = m_program->run({"inspect", "--all", pets, "--json"}).json();
    QCOMPARE(report["findings"].toArray()[0].toObject()["finding"].toString(), "broken");
    const Outcome events = m_program->run({"inspect", "--all", pets, "--events", "--restart"});
    const QList<QByteArray> lines = events.out.trimmed().split('\n');
    QCOMPARE(object(lines.first())["event"].toString(), "hello");
    QCOMPARE(object(lines.last())["event"].toString(), "result");
    QCOMPARE(object(lines.last())["findings"], report["findings"]);
  }

  void aListThatIsWrittenIsReportedWithItsUse() {
    damage();
    const Outcome written = m_program->run(
        {"inspect", "--all", m_program->path("pets"), "--list", "clean", "--csv", "-o", "c.csv"});
    QCOMPARE(written.code, 0);
    QVERIFY2(written.out.startsWith("written: c.csv, ") &&
                 written.out.endsWith("\nNext:\n  millrace inspect c.csv -o data.millrace.json\n"),
             written.out.constData());
    const Outcome text = m_program->run(
        {"inspect", "--all", m_program->path("pets"), "--list", "clean", "-o", "c.txt"});
    QVERIFY2(text.out.contains("--insert filter:image_folder --set filter.list=c.txt"),
             text.out.constData());
    const Outcome bad = m_program->run(
        {"inspect", "--all", m_program->path("pets"), "--list", "broken", "-o", "b.txt"});
    QVERIFY2(bad.out.startsWith("written: b.txt, 1 finding of "), bad.out.constData());
  }

  void aStoppedReportIsJsonThatSaysHowToContinue() {
    const QString folder = manyPictures();
    auto report =
        m_program->start({"inspect", "--all", folder, "--json", "--workers", "1", "--restart"});
    // The threads start after the program listens for the signal.
    const QDir threads(QString("/proc/%1/task").arg(report->processId()));
    QTRY_VERIFY_WITH_TIMEOUT(threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() > 1,
                             60000);
    ::kill(static_cast<pid_t>(report->processId()), SIGINT);
    QVERIFY(ended(*report));
    QCOMPARE(report->exitCode(), 3);
    const QJsonObject result = object(report->readAllStandardOutput());
    QVERIFY(result["interrupted"].toBool());
    QCOMPARE(result["next"].toString(),
             QString("millrace inspect --all %1 --workers 1 --json").arg(folder));
  }

  void aStoppedStreamEndsWithWhatWasExamined() {
    const QString folder = manyPictures();
    auto report = m_program->start({"inspect", "--all", folder, "--events", "--workers", "1"});
    QVERIFY(!lineWith(*report, "\"progress\"").isEmpty());
    ::kill(static_cast<pid_t>(report->processId()), SIGINT);
    const QJsonObject result = object(lineWith(*report, "\"result\""));
    QVERIFY(ended(*report));
    QCOMPARE(report->exitCode(), 3);
    QVERIFY(result["interrupted"].toBool());
    const QJsonObject set = result["sets"].toArray()[0].toObject();
    QCOMPARE(set["samples"].toInt(), kPictures);
    QVERIFY(set["examined"].toInt() > 0 && set["examined"].toInt() < kPictures);
  }

  void whatDoesNotFitIsRefusedWithTheRemedy() {
    const QString pets = m_program->path("pets");
    const Outcome word = m_program->run({"inspect", "--all", pets, "--list", "brokn"});
    QCOMPARE(word.code, 2);
    QVERIFY2(word.err.contains("valid are all, clean, unreadable"), word.err.constData());
    const Outcome json = m_program->run({"inspect", "--all", pets, "--list", "all", "--json"});
    QVERIFY2(json.code == 2 && json.out.contains("add -o FILE"), json.out.constData());
    QCOMPARE(m_program->run({"inspect", "--all", pets, "--against", pets}).code, 2);
    QCOMPARE(m_program->run({"inspect", pets, "--list", "broken"}).code, 2);
    QCOMPARE(m_program->run({"inspect", "--all", m_program->path("none")}).code, 2);
  }

 private:
  static constexpr int kPictures = 3000;

  /// A folder of many links to one file of some pixels.
  QString manyPictures() {
    QString folder = m_program->path("many");
    const std::vector<std::uint8_t> grey(std::size_t{3} * 1000 * 1000, 90);
    const auto png = encodePng({grey.data(), 1000, 1000, 3, 3000}).take();
    const QString first = m_program->write(
        "many/0.png", QByteArray(reinterpret_cast<const char*>(png.data()), qsizetype(png.size())));
    for (int i = 1; i < kPictures; ++i)
      std::filesystem::create_hard_link(first.toStdString(),
                                        QString("%1/%2.png").arg(folder).arg(i).toStdString());
    return folder;
  }

  void damage() {
    const QStringList classes =
        QDir(m_program->path("pets")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    const QString train = classes.contains("train") ? "pets/train" : "pets";
    const QString first =
        QDir(m_program->path(train)).entryList(QDir::Dirs | QDir::NoDotAndDotDot).first();
    m_broken = m_program->write(train + "/" + first + "/broken.jpg", "not a picture");
  }

  std::unique_ptr<Program> m_program;
  QString m_broken;
};

}  // namespace millrace::tests

using millrace::tests::TestInspectAll;
MILLRACE_TEST_CASE(TestInspectAll)
#include "tst_inspect_all.moc"
