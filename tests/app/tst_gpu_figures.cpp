// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The program's report on a GPU: the library that the dynamic linker finds here is a fake
// (tests/core/monitor/fake) without a device.
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestGpuFigures : public QObject {
  Q_OBJECT

  static constexpr const char* kCard =
      "devices = 1\ndriver = 580.95\ncuda = 13000\n0.name = NVIDIA H200\n0.uuid = GPU-1111\n"
      "0.utilisation = 40 30\n0.memory = 150000000000 60000000000\n0.power = 412500\n"
      "0.reasons = 0x4\n0.temperature = 61\n";

  /// Runs the program with that card; `before` holds variables for it.
  Outcome withCard(const QString& arguments, const QByteArray& card = kCard,
                   const QString& before = {}) {
    m_program->write("card.txt", card);
    return m_program->shell("env -u CUDA_VISIBLE_DEVICES -u CUDA_DEVICE_ORDER LD_LIBRARY_PATH=" +
                            QString(tests::kFakeNvmlFolder) + " FAKE_NVML=card.txt " + before +
                            " $MILLRACE " + arguments);
  }

 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("p.json", syntheticPipeline());
  }

  void aPersonMayLeaveTheGpuUnwatched() {
    const Outcome run =
        withCard("run p.json --json --seconds 0.1 --warmup 0 --repeats 1 --no-fingerprint", kCard,
                 "MILLRACE_GPU_FIGURES=0");
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY(run.json()["accelerator"].isNull());
    QVERIFY(run.json()["environment"].toObject()["accelerator_not_watched"].toString().contains(
        "MILLRACE_GPU_FIGURES=0"));
  }

  void aRunHasItsGpusFiguresAndKeepsThem() {
    const Outcome run =
        withCard("run p.json --json --seconds 0.5 --warmup 0 --repeats 1 --no-fingerprint");
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonObject gpu = run.json()["accelerator"].toObject();
    QCOMPARE(gpu["name"].toString(), "NVIDIA H200");
    QCOMPARE(gpu["utilisation"].toDouble(), 0.4);
    QCOMPARE(gpu["memory_utilisation"].toDouble(), 0.3);
    QCOMPARE(gpu["power_watts"].toDouble(), 412.5);
    QCOMPARE(gpu["throttle_reasons"].toArray(), QJsonArray{"power cap"});
    QVERIFY(gpu["samples"].toInt() >= 1);
    QVERIFY(gpu["jpeg_utilisation"].isNull() && gpu["sm_clock_mhz"].isNull());
    QVERIFY(gpu["ended"].isNull());
    const QJsonObject machine = run.json()["environment"].toObject();
    QCOMPARE(machine["gpu"].toString(), "NVIDIA H200");
    QCOMPARE(machine["gpu_driver"].toString(), "580.95");
    QCOMPARE(machine["accelerator"].toString(), "NVIDIA H200");
    const Outcome page = m_program->run({"runs", "show", "1"});
    for (const char* line : {"GPU busy", "40.0 %", "GPU power", "412.5 W", "power cap"})
      QVERIFY2(page.out.contains(line), page.out.constData());
    const QJsonObject kept =
        m_program->run({"runs", "show", "1", "--json"}).json()["accelerator"].toObject();
    QCOMPARE(kept["name"].toString(), "NVIDIA H200");
    QCOMPARE(kept["utilisation"].toDouble(), 0.4);
    QCOMPARE(kept["throttle_reasons"].toArray(), QJsonArray{"power cap"});
    QVERIFY(kept["jpeg_utilisation"].isNull());
  }

  void aGpuThatIsLostEndsItsFiguresAndNotTheRun() {
    const Outcome run = withCard("run p.json --json --seconds 0.5 --warmup 0 --repeats 1",
                                 QByteArray(kCard) + "lost_after = 40\n");
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonObject gpu = run.json()["accelerator"].toObject();
    QVERIFY2(gpu["ended"].toString().contains("GPU is lost"), run.out.constData());
    QVERIFY(run.json()["samples"].toInt() > 0);
    QVERIFY(m_program->run({"runs", "show", "1"}).out.contains("GPU is lost"));
  }

  void aHiddenGpuIsNotWatchedAndTheRunSaysWhy() {
    const Outcome run = withCard("run p.json --json --seconds 0.2 --warmup 0 --repeats 1", kCard,
                                 "CUDA_VISIBLE_DEVICES=-1");
    QCOMPARE(run.code, 0);
    QVERIFY(run.json()["accelerator"].isNull());
    const QString why = run.json()["environment"].toObject()["accelerator_not_watched"].toString();
    QVERIFY2(why.contains("hidden"), qPrintable(why));
  }

  void theStreamTellsTheGpu() {
    const Outcome run =
        withCard("run p.json --events --seconds 0.5 --warmup 0 --repeats 1 </dev/null");
    QCOMPARE(run.code, 0);
    bool told = false;
    for (const QByteArray& line : run.out.split('\n'))
      told =
          told || (line.contains("\"event\":\"snapshot\"") && line.contains("\"utilisation\":0.4"));
    QVERIFY(told);
  }

  void aReportNamesTheGpuIn80Columns() {
    const Outcome run = withCard("run p.json --seconds 0.5 --warmup 0 --repeats 1");
    QVERIFY2(run.out.contains("NVIDIA H200") && run.out.contains("power cap"), run.out.constData());
    for (const QByteArray& line : run.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
  }

  void doctorSaysWhatTheGpuTellsAndWhatItDoesNot() {
    const Outcome doctor = withCard("doctor");
    QCOMPARE(doctor.code, 0);
    for (const char* text :
         {"NVIDIA H200, 150 GB", "580.95, supports CUDA up to 13.0", "unavailable"})
      QVERIFY2(doctor.out.contains(text), doctor.out.constData());
    for (const QByteArray& line : doctor.out.split('\n'))
      QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
    const QJsonObject report = withCard("doctor --json").json()["gpu_report"].toObject();
    QCOMPARE(report["watched"].toString(), "NVIDIA H200");
    QVERIFY(report["figures"].toArray().contains("GPU power"));
    QVERIFY(report["missing_figures"].toArray().contains("GPU JPEG engine busy"));
    const Outcome hidden = withCard("doctor", kCard, "CUDA_VISIBLE_DEVICES=GPU-2");
    QVERIFY2(hidden.out.simplified().contains("matches no GPU"), hidden.out.constData());
    const Outcome broken = withCard("doctor", "init = 9\n");
    QVERIFY2(broken.out.contains("Driver Not Loaded"), broken.out.constData());
    QCOMPARE(broken.code, 0);
  }

 private:
  std::unique_ptr<Program> m_program;
};

}  // namespace millrace::tests

using millrace::tests::TestGpuFigures;
MILLRACE_TEST_CASE(TestGpuFigures)
#include "tst_gpu_figures.moc"
