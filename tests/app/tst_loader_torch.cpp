// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace loader` with PyTorch's DataLoader: its workers, the steps inside, other arguments.
#include <QJsonArray>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

const QByteArray kTorchFile = R"py(import time
import torch
from torch.utils.data import DataLoader, Dataset

class Half:
    def __call__(self, x):
        time.sleep(0.001)
        return x / 2
class Noise(Dataset):
    def __init__(self):
        self.transform = Half()
        self.target_transform = lambda y: y + 1
    def __reduce__(self):
        return Noise, ()
    def __len__(self):
        return 1000
    def __getitem__(self, i):
        return self.transform(torch.rand(3, 16, 16)), self.target_transform(i)

loader = DataLoader(Noise(), batch_size=8, num_workers=2)
spawned = DataLoader(Noise(), batch_size=8, num_workers=2, multiprocessing_context="spawn")
alone = DataLoader(Noise(), batch_size=8)
unequal = DataLoader(Noise(), batch_size=8, collate_fn=lambda batch: tuple(zip(*batch)))
noise = Noise()

class Forked(Dataset):
    def __len__(self):
        return 1000
    def __getitem__(self, i):
        raise RuntimeError("Cannot re-initialize CUDA in forked subprocess")
forked = DataLoader(Forked(), batch_size=8, num_workers=2)
)py";

}  // namespace

class TestLoaderTorch : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_python = qEnvironmentVariable("MILLRACE_TORCH_PYTHON", "python3");
    if (QProcess::execute(m_python, {"-c", "import torch"}) != 0)
      QSKIP("there is no python3 with PyTorch (MILLRACE_TORCH_PYTHON names one)");
    m_program.write("torched.py", kTorchFile);
  }

  void aDataLoaderIsMeasuredWithItsWorkers() {
    const QJsonObject result = measured("loader");
    QCOMPARE(result["samples"].toInt(), 8 * result["batches"].toInt());
    QCOMPARE(result["environment"].toObject()["loader_kind"].toString(), "PyTorch DataLoader");
    QCOMPARE(result["environment"].toObject()["loader_workers"].toString(), "2");
    QVERIFY(result["cpu_seconds_per_1000_samples"].toDouble() > 0);
    // During a step, the workers fill the queue.
    const auto emptyIn = [](const QJsonObject& run) {
      return run["environment"]["loader_queue_empty"].toString("none").toDouble();
    };
    const double stepped = emptyIn(measured("loader", {"--step", "100ms"}));
    QVERIFY2(stepped < 0.5 && emptyIn(result) > stepped, qPrintable(QString::number(stepped)));
    QVERIFY(!measured("alone")["environment"].toObject().contains("loader_queue_empty"));
    const QStringList steps = {"Half", "lambda in line 12", "collate", "Noise, other code"};
    for (const char* name : {"loader", "spawned", "alone"}) {
      const QJsonArray nodes = measured(name)["nodes"].toArray();
      QStringList ids;
      for (const auto& node : nodes) {
        ids << node.toObject()["id"].toString();
        QVERIFY2(node.toObject()["busy_seconds"].toDouble() > 0, qPrintable(ids.last()));
      }
      QCOMPARE(ids, steps);
      // It sleeps for 1 ms for each of 8 samples.
      QVERIFY(nodes[0].toObject()["mean_ms"].toDouble() > 8);
    }
    const QJsonObject unequal = measured("unequal");
    QCOMPARE(unequal["samples"].toInt(), 8 * unequal["batches"].toInt());
    const QJsonObject noise = measured("noise");
    QCOMPARE(noise["samples"].toInt(), noise["batches"].toInt());
    QVERIFY(noise["samples"].toInt() > 0);
  }

  void itsArgumentsCanBeSet() {
    const QJsonObject result = measured(
        "alone", {"--set", "num_workers=3", "--set", "batch_size=4", "--set", "worker_threads=1"});
    QCOMPARE(result["environment"].toObject()["loader_workers"].toString(), "3");
    QCOMPARE(result["samples"].toInt(), 4 * result["batches"].toInt());
    QVERIFY(result["batches"].toInt() > 0);
    QCOMPARE(result["pipeline"].toString(),
             "torched.py:alone, num_workers=3, batch_size=4, worker_threads=1");
    QCOMPARE(measured("spawned", {"--set", "num_workers=0"})["environment"]
                 .toObject()["loader_workers"]
                 .toString(),
             "0");
  }

  /// As PyTorch raises it if a data set uses a GPU in its workers.
  void anErrorInAWorkerIsASentence() {
    const Outcome outcome = m_program.run(
        {"loader", "torched.py:forked", "--python", m_python, "--no-store", "--repeats", "1"});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.simplified().contains(
                 "the loader failed in a worker process: RuntimeError: Cannot re-initialize CUDA"),
             outcome.err.constData());
    QVERIFY(outcome.err.contains("torched.py:"));
  }

  /// PyTorch's handler of a worker's end raises its error wherever the program is.
  void aWorkerThatEndsIsASentence_data() {
    QTest::addColumn<QString>("how");
    QTest::newRow("killed") << "os.kill(os.getpid(), 9)";
    QTest::newRow("left") << "os._exit(3)";
  }
  void aWorkerThatEndsIsASentence() {
    QFETCH(const QString, how);
    m_program.write("ends.py",
                    "import os, torch\n"
                    "from torch.utils.data import DataLoader, Dataset\n"
                    "class Ends(Dataset):\n"
                    "  def __len__(self): return 64\n"
                    "  def __getitem__(self, i):\n"
                    "    if i == 20: " +
                        how.toUtf8() +
                        "\n"
                        "    return torch.zeros(3)\n"
                        "loader = DataLoader(Ends(), 8, num_workers=1)\n");
    const Outcome outcome = m_program.run({"loader", "ends.py:loader", "--python", m_python,
                                           "--no-store", "--repeats", "1", "--seconds", "1"});
    QVERIFY(outcome.code != 0);
    const QByteArray words = (outcome.out + outcome.err).simplified();
    QVERIFY2(words.contains("RuntimeError: DataLoader worker (pid"), words.constData());
  }

  void workersStartAsTheObjectsAllow() {
    const QStringList two = {"--set", "num_workers=2", "--set", "start_method=spawn"};
    const QJsonObject spawned = measured("alone", two);
    QCOMPARE(spawned["environment"]["loader_workers"].toString(), "2");
    QVERIFY(spawned["batches"].toInt() > 0);
    const auto says = [this](const QString& name, const QStringList& set) {
      return m_program
          .run(QStringList{"loader", "torched.py:" + name, "--python", m_python, "--no-store"} +
               set)
          .err.simplified();
    };
    const QByteArray lambda = says("unequal", two);
    QVERIFY2(lambda.contains("started by spawn, because the collate_fn cannot be pickled"),
             lambda.constData());
    QVERIFY(says("alone", {"--set", "start_method=spawn"}).contains("needs workers"));
    QVERIFY(says("loader", {"--set", "start_method=thread"})
                .contains("must be one of fork, spawn, forkserver, not `thread`"));
  }

  /// It sleeps in the program, while all cores are idle.
  void aDiagnosisNamesTheLimitAndTriesTheAdvice() {
    const Outcome outcome =
        m_program.run({"diagnose", "torched.py:alone", "--python", m_python, "--seconds", "0.5",
                       "--warmup", "0.1", "--repeats", "1", "--no-store", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject found = outcome.json();
    if (found["limit"]["kind"].toString() == "other_process") QSKIP("other programs run");
    QCOMPARE(found["limit"]["kind"].toString(), "workers_too_few");
    const QJsonObject advice = found["advice"][0].toObject();
    QVERIFY(advice["set"]["num_workers"].toString().toInt() > 0);
    QCOMPARE(advice["verdict"].toString(), "faster");
  }

  /// Its workers sleep, so more of them are faster on any machine.
  void betterArgumentsAreFound() {
    const Outcome outcome = m_program.run({"loader", "torched.py:alone", "--python", m_python,
                                           "--tune", "--seconds", "0.5", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject found = outcome.json();
    QVERIFY(found["best"].toObject()["num_workers"].toString().toInt() > 0);
    QCOMPARE(found["verdict"].toString(), "faster");
    QVERIFY(found["ratio"].toDouble() > 1.2);
    QCOMPARE(found["trials"].toArray()[0].toObject()["set"].toObject(), QJsonObject());
  }

 private:
  QJsonObject measured(const QString& name, const QStringList& more = {}) {
    return m_program
        .run(QStringList{"loader", "torched.py:" + name, "--python", m_python, "--no-store",
                         "--json", "--seconds", "0.4", "--warmup", "0.1", "--repeats", "1"} +
             more)
        .json();
  }

  Program m_program;
  QString m_python;
};

MILLRACE_TEST_CASE(TestLoaderTorch)

}  // namespace millrace::tests

#include "tst_loader_torch.moc"
