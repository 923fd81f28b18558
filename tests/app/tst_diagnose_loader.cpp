// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace diagnose` of a user's own loader, without PyTorch; tst_loader_torch has a DataLoader.
#include <QStandardPaths>

#include "tests/app/program.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestDiagnoseLoader : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
  }

  void init() {
    m_program = std::make_unique<Program>();
    m_program->write("mine.py",
                     "import time\nclass Loader:\n  def __iter__(self):\n"
                     "    for i in range(50):\n      time.sleep(0.002)\n      yield [1, 2]\n"
                     "loader = Loader()\nquick = [[1, 2]] * 50\ndef empty():\n  return iter([])\n");
  }

  void whatIsNotSeenIsNotKnown() {
    const Outcome outcome = diagnose({"mine.py:loader", "--json"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QJsonObject json = outcome.json();
    QVERIFY(json["limit"]["kind"].isNull());
    QCOMPARE(json["limit"]["sure"].toString(), "cannot tell");
    QVERIFY(json["samples_per_second"].toDouble() > 0);
    QCOMPARE(json["run_id"].toString(), "1");
    QCOMPARE(m_program->runCount("environment.origin = loader"), 1);
  }

  void aStepThatNeverWaitsIsCertain() {
    const Outcome outcome = diagnose({"mine.py:quick", "--step", "50ms", "--no-store"});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.contains("limit: the training step"), outcome.out.constData());
    QVERIFY2(outcome.out.contains("the program waited for batches only"), outcome.out.constData());
  }

  void whatDoesNotFitIsASentence() {
    const Outcome apply = diagnose({"mine.py:loader", "--apply", "x.json"});
    QCOMPARE(apply.code, 2);
    QVERIFY2(apply.err.contains("mine.py:loader is a loader of your own"), apply.err.constData());
    const Outcome empty = diagnose({"mine.py:empty"});
    QCOMPARE(empty.code, 2);
    QVERIFY2(empty.err.contains("yields nothing"), empty.err.constData());
    QCOMPARE(m_program->runCount("state = failed"), 0);
  }

 private:
  Outcome diagnose(QStringList arguments) const {
    arguments.prepend("diagnose");
    return m_program->run(arguments << "--seconds" << "0.5" << "--warmup" << "0.2" << "--repeats"
                                    << "1");
  }

  std::unique_ptr<Program> m_program;
};

MILLRACE_TEST_CASE(TestDiagnoseLoader)

}  // namespace millrace::tests

#include "tst_diagnose_loader.moc"
