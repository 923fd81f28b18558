// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace check --order`, and the warning of `diagnose`: how well an epoch is shuffled.
#include <QDir>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::Outcome;
using tests::Program;

namespace {

const char* const kPicture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNgYGAAAAAEAAHI6uv5AAAAAElFTkSuQmCC";

}  // namespace

class TestCheckOrder : public QObject {
  Q_OBJECT
 private slots:
  /// Five class folders with 40 pictures each.
  void initTestCase() {
    const QByteArray picture = QByteArray::fromBase64(kPicture);
    for (int c = 0; c < 5; ++c) {
      QVERIFY(QDir(m_program.path("")).mkpath(QString("set/class_%1").arg(c)));
      for (int i = 0; i < 40; ++i)
        m_program.write(QString("set/class_%1/%2.png").arg(c).arg(i, 3, 10, QChar('0')), picture);
    }
    const Outcome proposed = m_program.run({"inspect", m_program.path("set"), "-o", pipeline()});
    QVERIFY2(proposed.code == 0, proposed.err.constData());
  }

  void aFullShuffleIsAsGoodAsItself() {
    const QJsonObject order = orderOf("full");
    QCOMPARE(order["samples"].toInt(), 200);
    QVERIFY(order["file_run"].isNull());
    const QJsonObject entropy = order["batch_entropy_bits"].toObject();
    QVERIFY(qAbs(entropy["value"].toDouble() - entropy["full"].toDouble()) < 0.1);
    QVERIFY(qAbs(order["distance"].toObject()["value"].toDouble() - 1.0 / 3) < 0.05);
    QCOMPARE(order["batch_entropy_along"].toArray().size(), 10);
    QVERIFY(!check("full", {}).out.contains("in blocks"));
  }

  void aSmallWindowOverSortedClassesIsNamed() {
    const QJsonObject order = orderOf("window");
    QVERIFY(order["batch_entropy_bits"].toObject()["value"].toDouble() < 1);
    QVERIFY(order["distance"].toObject()["value"].toDouble() < 0.05);
    const Outcome text = check("window", {});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.startsWith("warning: shuffle: the classes come in blocks"), text.out);
    QVERIFY2(text.out.contains("class entropy of a batch, bits"), text.out);
  }

  void whatIsNotShuffledOnPurposeIsNoProblem() {
    QVERIFY(!check("window", {"--no-random"}).out.contains("in blocks"));
    QVERIFY(!check("window", {"--off", "shuffle"}).out.contains("in blocks"));
    const Outcome repeated =
        check("window", {"--off", "shuffle", "--insert", "repeat:image_folder"});
    QVERIFY2(repeated.code == 0 && !repeated.out.contains("in blocks"), repeated.out);
  }

  /// The table shows each figure divided by that of a full shuffle.
  void aRunKeepsTheFiguresOfItsOrder() {
    for (const bool window : {false, true}) {
      const QString store = m_program.path(window ? "window.db" : "full.db");
      const QStringList set{"--set", "batch.size=10",
                            "--set", "shuffle.window=4",
                            "--set", window ? "shuffle.mode=window" : "shuffle.mode=full"};
      const Outcome ran =
          m_program.run(QStringList{"run", pipeline(), "--store", store, "--repeats", "1",
                                    "--batches", "4", "--warmup", "0", "--json"} +
                        set);
      QVERIFY2(ran.code == 0, ran.err.constData());
      const QJsonObject order = ran.json()["order"].toObject();
      QCOMPARE(order, orderOf(window ? "window" : "full"));
      const Outcome kept = m_program.run({"runs", "show", "1", "--store", store, "--json"});
      const QJsonObject again = kept.json()["order"].toObject();
      QCOMPARE(again["samples"], order["samples"]);
      QCOMPARE(again["batch_entropy_along"].toArray().size(), 10);
      for (const char* key : {"distance", "class_run", "batch_entropy_bits"}) {
        const QJsonObject was = order[key].toObject();
        const QJsonObject is = again[key].toObject();
        QVERIFY(was["full"].toDouble() > 0);
        QVERIFY(qAbs(is["value"].toDouble() - was["value"].toDouble()) < 1e-9);
        QCOMPARE(is["full"], was["full"]);
      }
      const Outcome page = m_program.run({"runs", "show", "1", "--store", store});
      QVERIFY2(page.out.contains("Class entropy of a batch"), page.out);
      const QByteArray some =
          window ? "shuffle_batch_entropy < 0.9" : "shuffle_batch_entropy > 0.9";
      QVERIFY(m_program.run({"runs", "list", some, "--store", store}).out.contains("set"));
    }
  }

  void theReportSaysHowWellARunWasShuffled() {
    const QStringList run{"run",       pipeline(), "--no-store", "--repeats", "1",
                          "--batches", "4",        "--warmup",   "0"};
    const Outcome full = m_program.run(run);
    QVERIFY2(full.out.contains("  shuffle         distance "), full.out);
    QVERIFY2(full.out.contains("class entropy of a batch "), full.out);
    const Outcome none = m_program.run(run + QStringList{"--off", "shuffle"});
    QVERIFY2(none.out.contains("none: the samples come in the order of the source"), none.out);
    const Outcome few =
        m_program.run(run + QStringList{"--insert", "take:image_folder", "--set", "take.count=6"});
    QVERIFY2(few.out.contains("as after a full shuffle, as far as 6 samples tell"), few.out);
    const Outcome reads = m_program.run(
        run + QStringList{"--insert", "filter:shuffle", "--set", "filter.where=width > 0"});
    QVERIFY2(reads.code == 0 && !reads.out.contains("  shuffle  "), reads.out);
  }

  void aDiagnosisWarnsToo() {
    for (const char* mode : {"window", "full"}) {
      const Outcome ended =
          m_program.run({"diagnose", pipeline(), "--no-store", "--repeats", "1", "--seconds", "0.1",
                         "--warmup", "0.1", "--set", "batch.size=10", "--set",
                         QString("shuffle.mode=%1").arg(mode), "--set", "shuffle.window=4"});
      QVERIFY2(ended.code == 0, ended.err.constData());
      QCOMPARE(ended.err.contains("the classes come in blocks"), mode == QByteArray("window"));
    }
  }

  void anEpochWithoutSamplesIsAProblem() {
    const Outcome none =
        check("full", {"--insert", "take:image_folder", "--set", "take.skip=1000", "--json"});
    QCOMPARE(none.code, 2);
    QCOMPARE(none.json()["problems"].toArray().size(), 1);
  }

  void withoutItNothingIsSaidAboutTheOrder() {
    QVERIFY(!m_program.run({"check", pipeline()}).out.contains("order of the first epoch"));
    QVERIFY(!m_program.run({"check", pipeline(), "--json"}).json().contains("order"));
  }

 private:
  QString pipeline() const { return m_program.path("set.millrace.json"); }
  Outcome check(const QString& mode, const QStringList& more) {
    return m_program.run(QStringList{"check", pipeline(), "--order", "--set", "batch.size=10",
                                     "--set", "shuffle.mode=" + mode, "--set", "shuffle.window=4"} +
                         more);
  }
  QJsonObject orderOf(const QString& mode) {
    return check(mode, {"--json"}).json()["order"].toObject();
  }

  Program m_program;
};

}  // namespace millrace

using millrace::TestCheckOrder;
MILLRACE_TEST_CASE(TestCheckOrder)
#include "tst_check_order.moc"
