// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_trouble.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestCudaTrouble : public QObject {
  Q_OBJECT
 private slots:
  void whatTheRuntimeRefusesHasItsOwnRemedy_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("driver");
    QTest::addColumn<QString>("trouble");
    QTest::addColumn<QString>("remedy");
    const auto row = [](const char* name, int code, const char* driver, const char* trouble,
                        const char* remedy) {
      QTest::newRow(name) << code << driver << trouble << remedy;
    };
    row("no driver", 35, "", "no NVIDIA driver", "install it");
    row("old driver", 35, "12.4", "supports CUDA 12.4, but this build needs 13.0",
        "or NVIDIA's cuda-compat package on data-centre cards");
    row("no device", 100, "13.0", "finds no GPU", "CUDA_VISIBLE_DEVICES");
    row("after a fork", 3, "13.0", "forked from a process that had already looked for a GPU",
        "spawn or exec");
    row("stub", 34, "13.0", "stub", "lib64/stubs");
    row("busy", 46, "13.0", "busy", "compute mode");
    row("not ready", 802, "13.0", "not ready", "start nvidia-fabricmanager");
    row("mismatch", 803, "13.0", "different versions", "reboot");
    row("compat", 804, "13.0", "cuda-compat", "install a newer driver");
    row("anything else", 999, "13.0", "what the runtime said", "nvidia-smi");
  }
  void whatTheRuntimeRefusesHasItsOwnRemedy() {
    QFETCH(const int, code);
    QFETCH(const QString, driver);
    QFETCH(const QString, trouble);
    QFETCH(const QString, remedy);
    const CudaTrouble found =
        explained({code, "what the runtime said", driver.toStdString(), "13.0"});
    QVERIFY2(found.trouble.find(trouble.toStdString()) != std::string::npos, found.trouble.c_str());
    QVERIFY2(found.remedy.find(remedy.toStdString()) != std::string::npos, found.remedy.c_str());
  }

  void aDeviceThatCannotBeOpenedLeavesTheCpu() {
    QCOMPARE(withCpuHint("no").message,
             std::string("no; or run on the CPU with MILLRACE_BACKEND=cpu"));
  }
};

}  // namespace millrace

using millrace::TestCudaTrouble;
MILLRACE_TEST_CASE(TestCudaTrouble)
#include "tst_cuda_trouble.moc"
