// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/export_text.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Names = std::vector<std::string>;

ExportContext context() {
  ExportContext context;
  context.in.fields = {{"photo", DType::U8, {8, 8, 3}, Layout::Hwc, Role::Image},
                       {"label", DType::I64, {}, Layout::Plain, Role::Label},
                       {"depth", DType::U8, {8, 8, 1}, Layout::Hwc, Role::Target}};
  context.dataKnown = true;
  return context;
}

}  // namespace

class TestExportText : public QObject {
  Q_OBJECT
 private slots:
  void fieldsAreNamedByTheirPlace() {
    QCOMPARE(context().names({2, 0}), (Names{"depth", "photo"}));
    QCOMPARE(context().names({}), Names());
  }

  void fieldsAreNamedOnlyWhereTheRolesDoNotSayIt() {
    QCOMPARE(context().only({0, 2}, {Role::Image, Role::Target}), Names());
    QCOMPARE(context().only({0}, {Role::Image, Role::Target}), Names{"photo"});
    QCOMPARE(context().only({0}, {Role::Image}), Names());
  }

  void picturesHaveOneSizeIfTheDataSaysSo() {
    ExportContext known = context();
    QVERIFY(known.sameSize({0, 2}));
    known.in.fields[2].scale = 2;
    QVERIFY(!known.sameSize({0, 2}));
    QVERIFY(known.sameSize({2}));
    ExportContext unknown = context();
    unknown.dataKnown = false;
    QVERIFY(!unknown.sameSize({0, 2}));
    QVERIFY(unknown.sameSize({0}));
  }

  void chancesAreCertainWithoutRandom() {
    ExportContext context;
    QCOMPARE(context.chance(0.25), 0.25);
    context.noRandom = true;
    QCOMPARE(context.chance(0.99), 0.0);
    QCOMPARE(context.chance(1), 1.0);
  }

  void everythingAddedIsThere() {
    ExportText text;
    text.step("a()").step("b()", {"image"}).option("SIZE", "3", "pixels").option("A", "1");
    text.import("import os").needs("crop").limit("It is slow.");
    QCOMPARE(text.steps.size(), std::size_t{2});
    QVERIFY(text.steps[0].fields.empty());
    QCOMPARE(text.steps[1].fields, Names{"image"});
    QCOMPARE(text.options[0].comment, std::string("pixels"));
    QVERIFY(text.options[1].comment.empty());
    QCOMPARE(text.imports, Names{"import os"});
    QCOMPARE(text.snippets, Names{"crop"});
    QCOMPARE(text.limits, Names{"It is slow."});
    QVERIFY(text.missing.empty());
  }
};

}  // namespace millrace

using millrace::TestExportText;
MILLRACE_TEST_CASE(TestExportText)
#include "tst_export_text.moc"
