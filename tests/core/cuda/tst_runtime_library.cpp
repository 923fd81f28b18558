// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/libraries/runtime_library.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestRuntimeLibrary : public QObject {
  Q_OBJECT
 private slots:
  void noLibraryIsAskedForThatTheDriverIsTooOldFor() {
    using Files = std::vector<std::string>;
    const auto files = [](int driver) { return toolkitLibraryFiles("libx.so", driver); };
    QCOMPARE(files(0), (Files{"libx.so.13", "libx.so.12"}));
    QCOMPARE(files(13020), (Files{"libx.so.13", "libx.so.12"}));
    QCOMPARE(files(14000), (Files{"libx.so.13", "libx.so.12"}));
    QCOMPARE(files(12090), (Files{"libx.so.12"}));
    QCOMPARE(files(11080), (Files{"libx.so.12"}));
  }
};

}  // namespace millrace

using millrace::TestRuntimeLibrary;
MILLRACE_TEST_CASE(TestRuntimeLibrary)
#include "tst_runtime_library.moc"
