// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace loader` with loaders whose batches or memory change while they are measured.
#include <QStandardPaths>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestLoaderOdd : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    m_program.write("odd.py", R"py(import time
class Array:
    def __init__(self, *shape):
        self.shape = shape
        self.dtype = "float32"
def shapes():
    while True:
        for size in (6, 2):
            time.sleep(0.002)
            yield Array(size, 8, 8, 3), Array(size)
kept = []
def leaks():
    while True:
        time.sleep(0.002)
        kept.append(bytearray(b"x" * (1 << 20)))
        yield Array(4, 3)
)py");
  }

  void batchesOfSeveralSizesAreCountedEach() {
    const QJsonObject result = measured("shapes");
    QVERIFY(result["batches"].toInt() > 10);
    const int pairs = result["batches"].toInt() / 2;
    QVERIFY2(std::abs(result["samples"].toInt() - 8 * pairs) <= 6,
             qPrintable(QString::number(result["samples"].toInt())));
  }

  void aLeakIsSeenInTheMemory() {
    // A megabyte stays of each batch.
    const QJsonObject result = measured("leaks");
    const double batches = result["batches"].toDouble();
    QVERIFY(batches > 10);
    const double more =
        result["peak_rss_bytes"].toDouble() - measured("shapes")["peak_rss_bytes"].toDouble();
    QVERIFY2(more > batches * 0.5e6, qPrintable(QString::number(more)));
  }

 private:
  QJsonObject measured(const QString& name) {
    const Outcome outcome =
        m_program.run({"loader", "odd.py:" + name, "--no-store", "--json", "--seconds", "1.5",
                       "--warmup", "0.1", "--repeats", "1"});
    return outcome.code == 0 ? outcome.json() : QJsonObject();
  }

  Program m_program;
};

MILLRACE_TEST_CASE(TestLoaderOdd)

}  // namespace millrace::tests

#include "tst_loader_odd.moc"
