// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A pipeline that ends in a training step, on the emulated device.
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

/// Small pictures of five classes, before a network of one block per stage.
const QByteArray kTrained = R"({"format_version": 1, "nodes": [
  {"id": "synthetic", "kind": "synthetic", "params": {"content": "image", "count": 24,
   "height": 8, "width": 8, "channels": 3, "classes": 5}},
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "batch", "kind": "batch", "params": {"size": 4}},
  {"id": "transfer", "kind": "transfer", "params": {"place": "gpu"}},
  {"id": "step", "kind": "training_step", "params": {"network": "custom", "width": 8}}],
 "wires": [{"from": "synthetic", "to": "workers"}, {"from": "workers", "to": "batch"},
  {"from": "batch", "to": "transfer"}, {"from": "transfer", "to": "step"}]})";

const QStringList kOnce = {"--epochs", "1", "--warmup", "0", "--repeats", "1"};

}  // namespace

class TestTraining : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_program = std::make_unique<Program>();
    m_pipeline = m_program->write("p.json", kTrained);
    qputenv("MILLRACE_BACKEND", "emulated");
  }
  void cleanup() { qunsetenv("MILLRACE_BACKEND"); }

  void stepsAreTimedAndKept() {
    const Outcome run = m_program->run(QStringList{"run", m_pipeline, "--json"} + kOnce);
    QVERIFY2(run.code == 0, run.err.constData());
    const QJsonObject training = run.json()["training"].toObject();
    QVERIFY(training["steps"].toInt() >= 4);
    for (const char* time : {"forward_ms", "backward_ms", "update_ms"})
      QVERIFY2(training[time].toDouble() > 0, time);
    QVERIFY(training["first_loss"].toDouble() > 1);
    QVERIFY2(training["loss_scale"].toDouble() > 1, "f16 has one");
    QVERIFY(training["libraries"].toString().contains("no cuDNN"));
    QVERIFY(run.json()["step_share"].isDouble());
    QVERIFY2(run.json()["step_over_nominal"].isNull(), "no nominal duration of a step is given");
    const Outcome kept = m_program->run({"runs", "show", "1", "--json"});
    const QJsonObject again = kept.json()["training"].toObject();
    QCOMPARE(again["steps"], training["steps"]);
    QCOMPARE(again["loss"], training["loss"]);
    QCOMPARE(again["libraries"], training["libraries"]);
    const Outcome page = m_program->run({"runs", "show", "1"});
    QVERIFY2(page.out.contains("Backward"), page.out.constData());
    QCOMPARE(m_program->runCount("training_loss>0"), 1);
  }

  /// Each on its half of the samples, with one network.
  void ranksTrainTogether() {
    QByteArray parted = kTrained;
    parted.replace(R"({"id": "workers",)",
                   R"({"id": "shard", "kind": "shard", "params": {}}, {"id": "workers",)");
    parted.replace(R"("to": "workers"}, )",
                   R"("to": "shard"}, {"from": "shard", "to": "workers"}, )");
    const QString file = m_program->write("parted.json", parted);
    const Outcome run = m_program->run(QStringList{"run", file, "--ranks", "2", "--json"} + kOnce);
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(run.json()["samples"].toInt(), 24);
    const QJsonObject training = run.json()["training"].toObject();
    QVERIFY(training["steps"].toInt() >= 2 && training["steps"].toInt() <= 3);
    QVERIFY2(training["libraries"].toString().endsWith("gradients of all ranks by host memory"),
             run.out.constData());
  }

  void thePageSaysWhatAStepTakesAndByWhat() {
    const Outcome run = m_program->run(
        QStringList{"run", m_pipeline, "--no-store", "--set", "step.precision=bf16"} + kOnce);
    QVERIFY2(run.code == 0, run.err.constData());
    for (const char* part :
         {"training step", "forward ", "backward ", "update ", "at the end", "trained by"})
      QVERIFY2(run.out.contains(part), run.out.constData());
  }

  void labelsOutsideOfTheClassesEndTheRun() {
    const Outcome run = m_program->run(
        QStringList{"run", m_pipeline, "--no-store", "--set", "step.classes=2"} + kOnce);
    QCOMPARE(run.code, 1);
    const QByteArray text = (run.err + run.out).simplified();
    QVERIFY2(text.contains("step: ") && text.contains("are not from 0 to 1: set `classes`"),
             text.constData());
  }

  void whatCannotBeTrainedIsRefused_data() {
    QTest::addColumn<QString>("set");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("small") << "synthetic.height=4" << QByteArray("at least 8 pixels per side");
    QTest::newRow("no picture") << "synthetic.content=features"
                                << QByteArray("needs a picture and a label field");
    QTest::newRow("width") << "step.width=12" << QByteArray("12 channels are not a multiple of 8");
  }
  void whatCannotBeTrainedIsRefused() {
    QFETCH(QString, set);
    QFETCH(QByteArray, says);
    const Outcome checked = m_program->run({"check", m_pipeline, "--set", set});
    QCOMPARE(checked.code, 2);
    QVERIFY2(checked.out.simplified().contains(says), checked.out.constData());
  }

  void withoutAGpuItIsRefused() {
    qputenv("MILLRACE_BACKEND", "cpu");
    const Outcome checked = m_program->run({"check", m_pipeline, "--set", "transfer.place=auto"});
    QCOMPARE(checked.code, 2);
    QVERIFY2(checked.out.simplified().contains("step: trains on a GPU, but"),
             checked.out.constData());
  }

 private:
  std::unique_ptr<Program> m_program;
  QString m_pipeline;
};

MILLRACE_TEST_CASE(TestTraining)

}  // namespace millrace::tests

#include "tst_training.moc"
