// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rank_gpus.h"

#include "core/base/text/text.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestRankGpus : public QObject {
  Q_OBJECT
 private slots:
  void gpusGoRound_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("devices");
    QTest::addColumn<QString>("visible");
    QTest::addColumn<QString>("gpus");
    const QString unset;
    QTest::newRow("one each") << 2 << 2 << unset << "0 1";
    QTest::newRow("two on one") << 2 << 1 << unset << "0 0";
    QTest::newRow("more than ranks") << 2 << 8 << unset << "0 1";
    QTest::newRow("fewer than ranks") << 5 << 2 << unset << "0 1 0 1 0";
    QTest::newRow("none") << 2 << 0 << unset << "";
    QTest::newRow("named") << 3 << 2 << "5, GPU-3f" << "5 GPU-3f 5";
    QTest::newRow("names after an invalid one") << 2 << 1 << "3,-1,4" << "3 3";
    QTest::newRow("hidden") << 2 << 0 << "" << "";
  }
  void gpusGoRound() {
    QFETCH(int, ranks);
    QFETCH(int, devices);
    QFETCH(QString, visible);
    std::optional<std::string> names;
    if (!visible.isNull()) names = visible.toStdString();
    const auto gpus =
        gpusOfRanks(static_cast<std::size_t>(ranks), static_cast<std::size_t>(devices), names);
    QTEST(QString::fromStdString(join(gpus, " ")), "gpus");
  }

  void noneIsGivenWhereOneIsForbiddenOrEmulated() {
    const QByteArray before = qgetenv("MILLRACE_BACKEND");
    for (const char* backend : {"cpu", "emulated"}) {
      qputenv("MILLRACE_BACKEND", backend);
      QVERIFY(gpusOfRanks(2).empty());
    }
    if (before.isNull())
      qunsetenv("MILLRACE_BACKEND");
    else
      qputenv("MILLRACE_BACKEND", before);
  }
};

}  // namespace millrace

using millrace::TestRankGpus;
MILLRACE_TEST_CASE(TestRankGpus)
#include "tst_rank_gpus.moc"
