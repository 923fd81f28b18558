// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/fingerprint.h"

#include <vector>

#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::optional<DatasetFingerprint> of(const std::vector<ListedSample>& samples) {
  const std::atomic<bool> stop{false};
  return fingerprintDataset(samples.size(), [&](std::uint64_t i) { return samples[i]; }, stop);
}

}  // namespace

class TestFingerprint : public QObject {
  Q_OBJECT
 private slots:
  /// The hash of the bytes "a\0" 05 00 00 00 00 00 00 00 "b\0" ff x 8, calculated in Python.
  void hasTheDocumentedBytes() {
    const auto fingerprint = of({{"a", 5}, {"b", {}}});
    QCOMPARE(fingerprint->text(), std::string("a3789c18915c4eb3-2-5"));
    QCOMPARE(of({})->text(), std::string("cbf29ce484222325-0-0"));
  }

  void dependsOnNamesAndSizes() {
    const auto base = of({{"a", 1}, {"b", 2}});
    QVERIFY(base == of({{"a", 1}, {"b", 2}}));
    QVERIFY(base != of({{"a", 2}, {"b", 1}}));
    QVERIFY(base != of({{"a", 1}, {"c", 2}}));
    QVERIFY(base != of({{"a", 1}}));
    QVERIFY(base != of({{"a", 1}, {"b", {}}}));
  }

  void stopsWhenAsked() {
    std::atomic<bool> stop{false};
    int asked = 0;
    const auto fingerprint = fingerprintDataset(
        1000,
        [&](std::uint64_t) {
          stop = ++asked == 3;
          return ListedSample{"x", 1};
        },
        stop);
    QVERIFY(!fingerprint);
    QCOMPARE(asked, 3);
  }

  void onlyFilesHaveASize() {
    QVERIFY(sizeOfFile(tests::sourcePath("CMakeLists.txt")) > std::uint64_t{100});
    QVERIFY(!sizeOfFile(tests::kSourceFolder));
    QVERIFY(!sizeOfFile("/nonexistent"));
  }
};

}  // namespace millrace

using millrace::TestFingerprint;
MILLRACE_TEST_CASE(TestFingerprint)
#include "tst_fingerprint.moc"
