// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A function of the user on whole batches: what it gets, its draws, and the batches that fail.
#include "tests/core/run/run_support.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

const char* const kBatchFunctions = R"py(
import os, random, time
import numpy as np

def ranked(features):
    assert features.shape == (len(features), 64) and features.dtype == np.uint8
    features[:, 0] = np.arange(len(features))
    features[:, 1] = len(features)
    return features
def rolled(image, rng):
    assert image.ndim == 4 and image.shape[3] == 3
    return np.roll(image, rng.integers(1, 4), axis=0)
def mirrored(image):
    return image[:, :, ::-1] if random.random() < 0.5 else image
def halved(features):
    return features[::2]
def floats(features):
    return features.astype(np.float32)
def fails_sometimes(features):
    if features[:, 0].min() < 8:
        raise ValueError("too small")
    return features
def crashes_sometimes(features):
    if features[:, 0].min() < 8:
        os.abort()
    return features
def hangs(features):
    time.sleep(600)
)py";

std::string featureSource(int count) {
  return "synthetic {\"count\": " + std::to_string(count) + "}\nshuffle {}\n";
}

std::string pictureSource(int count) {
  return "synthetic {\"content\": \"image\", \"height\": 5, \"width\": 4, \"count\": " +
         std::to_string(count) + "}\nshuffle {}\n";
}

}  // namespace

class TestPythonBatchNode : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_folder.write("mine.py", kBatchFunctions); }

  void itGetsAllSamplesOfABatch() {
    const auto plan = planOf(chain(featureSource(10), "ranked", R"(, "fields": ["features"])"));
    VERIFY_OK(plan);
    const CacheSet caches = CacheSet::make(*plan).take();
    int batches = 0;
    const Outcome outcome = runPlan(*plan, epochs(1), caches, [&](Executor&, const Batch& batch) {
      QCOMPARE(batch.rows, std::size_t(batches == 2 ? 2 : 4));
      ++batches;
      for (std::size_t row = 0; row < batch.rows; ++row) {
        const auto* values = batch.fields[0].row(row).as<std::uint8_t>();
        QCOMPARE(std::size_t(values[0]), row);
        QCOMPARE(std::size_t(values[1]), batch.rows);
      }
    });
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(batches, 3);
  }

  void batchesAreTheSameForAnyNumberOfProcesses_data() {
    QTest::addColumn<QString>("function");
    QTest::newRow("a generator") << "rolled";
    QTest::newRow("the module random") << "mirrored";
  }
  void batchesAreTheSameForAnyNumberOfProcesses() {
    QFETCH(QString, function);
    const auto run = [&](int count) {
      return runChain(chain(pictureSource(40), function.toStdString(), "", count), epochs(2));
    };
    const Outcome one = run(1);
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t(20));
    QCOMPARE(run(4).batches, one.batches);
  }

  void anotherTypeOrNumberOfSamplesFailsTheBatch_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("returned");
    QTest::newRow("fewer samples") << "halved" << "u8 2x64";
    QTest::newRow("another type") << "floats" << "f32 4x64";
  }
  void anotherTypeOrNumberOfSamplesFailsTheBatch() {
    QFETCH(QString, function);
    QFETCH(QString, returned);
    const Outcome outcome = runChain(
        chain(featureSource(8), function.toStdString(), R"(, "fields": ["features"])"), epochs(1));
    QCOMPARE(outcome.end, RunEnd::Failed);
    const QString expected =
        "the function returned " + returned + " for `features`, which has to stay u8 4x64";
    QVERIFY2(QString::fromStdString(outcome.error).contains(expected), outcome.error.c_str());
  }

  void allSamplesOfABatchThatFailsAreMissing_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("reason");
    QTest::newRow("by an exception")
        << "fails_sometimes"
        << "python_batch: mine.py:fails_sometimes raised ValueError: too small";
    QTest::newRow("by a crash")
        << "crashes_sometimes" << "python_batch: the process that called mine.py:crashes_sometimes";
  }
  void allSamplesOfABatchThatFailsAreMissing() {
    QFETCH(QString, function);
    QFETCH(QString, reason);
    const Outcome outcome = runChain(
        chain(featureSource(200), function.toStdString(), R"(, "fields": ["features"])", 2),
        withFailures(epochs(1), 200));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    const std::size_t failed = outcome.failures.size();
    QVERIFY2(failed > 0 && failed < 120 && failed % 4 == 0, qPrintable(QString::number(failed)));
    QCOMPARE(indices(outcome, 0).size() + failed, std::size_t(200));
    QVERIFY2(QString::fromStdString(outcome.failures[0].reason).startsWith(reason),
             outcome.failures[0].reason.c_str());
  }

  void aCallThatTakesTooLongIsEnded() {
    const Outcome outcome = runChain(
        chain(featureSource(4), "hangs", R"(, "fields": ["features"], "timeout": 0.2)"), epochs(1));
    QCOMPARE(outcome.end, RunEnd::Failed);
    QVERIFY2(
        outcome.error.find("did not return in 200 ms; the process was ended") != std::string::npos,
        outcome.error.c_str());
  }

  void samplesOfDifferentSizesAreRefused() {
    const auto plan =
        planOf(chain("python_dataset {\"python\": \"/usr/bin/python3\", \"file\": \"" + uneven() +
                         "\", \"dataset\": \"data\"}\n",
                     "mirrored"));
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().message.find("the samples of `image` vary in size") != std::string::npos,
             plan.error().message.c_str());
  }

 private:
  std::string chain(const std::string& source, const std::string& function,
                    const std::string& more = "", int processes = 1) const {
    return source + workers(processes) +
           "\nbatch {\"size\": 4}\npython_batch {\"python\": \"/usr/bin/python3\", \"file\": \"" +
           (m_folder.path() / "mine.py").string() + "\", \"function\": \"" + function + "\"" +
           more + "}\ndrain {}";
  }
  std::string uneven() const {
    m_folder.write("uneven.py",
                   "import numpy as np\n"
                   "data = [(np.zeros((3 + i, 2, 3), np.uint8), i) for i in range(8)]\n");
    return (m_folder.path() / "uneven.py").string();
  }

  TemporaryFolder m_folder;
};

MILLRACE_TEST_CASE(TestPythonBatchNode)

}  // namespace millrace::tests

#include "tst_python_batch_node.moc"
