// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Plug-ins that fail, throw, or do not do as they say: a sentence each.
#include "core/nodes/builtin.h"
#include "tests/core/plugins/plugin_files.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

std::string chain(const std::string& nodes, int count = 16) {
  return "synthetic {\"count\": " + std::to_string(count) + "}\n" + nodes;
}

std::string sampleChain(const std::string& kind) {
  return chain(kind + " {}\n" + workers(2) + "\nbatch {\"size\": 4}\ndrain {}");
}

void verifySaid(const std::string& message, const QString& why) {
  QVERIFY2(message.find(why.toStdString()) != std::string::npos, message.c_str());
}

}  // namespace

class TestPluginLiars : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    qputenv("MILLRACE_NODES", pluginFile("liars").c_str());
    QVERIFY(builtinCatalog().find("overruns") != nullptr);
  }

  void itsSamplesFailWithTheReason_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("why");
    QTest::newRow("overruns")
        << "overruns"
        << "has written outside of the memory that it was given for `features`";
    QTest::newRow("underruns")
        << "underruns" << "has written outside of the memory that it was given for `features`";
    QTest::newRow("size") << "says_less"
                          << "says that it wrote 63 bytes of `features`, which has 64";
    QTest::newRow("throws") << "throws"
                            << "the plug-in threw an exception: no colour was left";
    QTest::newRow("a number") << "throws_a_number" << "the plug-in threw an exception";
    QTest::newRow("error") << "fails_sometimes" << " is too dark";
    QTest::newRow("no text") << "fails_silently" << "\\x01\\x01";
  }
  void itsSamplesFailWithTheReason() {
    QFETCH(QString, kind);
    QFETCH(QString, why);
    const Outcome outcome = runChain(sampleChain(kind.toStdString()), epochs(1));
    QCOMPARE(outcome.end, RunEnd::Failed);
    verifySaid(outcome.error, why);
  }

  void onlyTheSamplesThatFailAreMissing() {
    const Outcome outcome = runChain(sampleChain("fails_sometimes"), withFailures(epochs(1), 100));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(outcome.failures.size(), std::size_t(4));
    QCOMPARE(indices(outcome, 0).size(), std::size_t(12));
    for (const std::uint32_t index : indices(outcome, 0)) QVERIFY(index % 4 != 1);
    QVERIFY2(outcome.failures[0].reason.find("is too dark") != std::string::npos,
             outcome.failures[0].reason.c_str());
  }

  void theCheckFindsIt_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("why");
    QTest::newRow("throws") << "throws_infer" << "the plug-in threw an exception: cannot think";
    QTest::newRow("name") << "names_no_field" << "which is not a name of a field";
    QTest::newRow("huge") << "is_huge" << "`features` has an impossible shape";
    QTest::newRow("type") << "is_of_no_type" << "`features` has an unknown element type";
    QTest::newRow("twice") << "is_twice" << "the plug-in makes `features` twice";
    QTest::newRow("many") << "is_too_many" << "makes 1000 fields, and 64 is the limit";
    QTest::newRow("create") << "throws_create" << "the plug-in threw an exception: no table";
  }
  void theCheckFindsIt() {
    QFETCH(QString, kind);
    QFETCH(QString, why);
    const auto plan = planOf(sampleChain(kind.toStdString()));
    QVERIFY(!plan.ok());
    verifySaid(plan.error().message, why);
  }

  void batchesEndTheRunWithTheReason() {
    const std::string begin = chain(workers(1) + "\nbatch {\"size\": 4}\n");
    const auto plan = planOf(begin + "changes_the_batch {}\ndrain {}");
    QVERIFY(!plan.ok());
    verifySaid(plan.error().message, "works on whole batches, so `features` has to stay");
    const Outcome outcome = runChain(begin + "fails_the_batch {}\ndrain {}", epochs(1));
    QCOMPARE(outcome.end, RunEnd::Failed);
    verifySaid(outcome.error, "the batch is not nice");
  }
};

MILLRACE_TEST_CASE(TestPluginLiars)

}  // namespace millrace::tests

#include "tst_plugin_liars.moc"
