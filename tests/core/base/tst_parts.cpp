// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/parts.h"

#include <set>
#include <string>

#include "tests/support/test_case.h"

namespace millrace {

class TestParts : public QObject {
  Q_OBJECT
 private slots:
  void everyPartIsDescribedOnce() {
    std::set<std::string_view> names;
    for (const OptionalPart& part : allParts()) {
      QVERIFY2(names.insert(part.name).second, part.name.data());
      QVERIFY2(!part.title.empty() && !part.use.empty(), part.name.data());
      QVERIFY2(part.package.ends_with("-dev"), part.name.data());
      QCOMPARE(partNamed(part.name).title.data(), part.title.data());
    }
    QVERIFY(names.contains("tiff"));
  }

  void onlyAMissingPartFailsTheCheck() {
    for (const OptionalPart& part : allParts()) {
      const Status there = checkPart(part.name);
      QCOMPARE(there.ok(), part.built);
      if (!there) QCOMPARE(there.error().message, missingPart(part.name).message);
    }
  }

  void theErrorNamesUseAndRemedy() {
    QCOMPARE(
        missingPart("tiff").message,
        std::string("this build of Millrace has no libtiff, which is needed for TIFF pictures; "
                    "install libtiff-dev and build Millrace again"));
  }
};

}  // namespace millrace

using millrace::TestParts;
MILLRACE_TEST_CASE(TestParts)
#include "tst_parts.moc"
