// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/did_you_mean.h"

#include "core/base/text/text.h"
#include "core/nodes/builtin.h"
#include "core/spec/meant_word.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestDidYouMean : public QObject {
  Q_OBJECT
 private slots:
  void namesOfOtherFrameworksLeadToOurs_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char* kind, const char* word, const char* hint) {
      QTest::addRow("%s.%s", kind, word) << kind << word << hint;
    };
    row("batch", "batch_size", "did you mean `size`?");
    row("batch", "drop_remainder", "did you mean `drop_last`?");
    row("workers", "num_workers", "did you mean `count`?");
    row("workers", "num_parallel_calls", "did you mean `count`?");
    row("prefetch", "prefetch_factor", "did you mean `batches`?");
    row("shuffle", "buffer_size", "did you mean `window`?");
    row("transfer", "pin_memory", "did you mean `pinned`?");
    row("resize", "image_size", "did you mean `height` or `width`?");
    row("random_resized_crop", "size", "did you mean `height` or `width`?");
    row("random_resized_crop", "scale", "did you mean `scale_min` or `scale_max`?");
    row("normalise", "std", "did you mean `deviation`?");
    row("batch", "Batch_Size", "did you mean `size`?");
    row("batch", "siez", "did you mean `size`?");
    row("prefetch", "colour", "there is only `batches`");
  }
  void namesOfOtherFrameworksLeadToOurs() {
    QFETCH(const QString, kind);
    QFETCH(const QString, word);
    QFETCH(const QString, hint);
    const NodeSpec* spec = builtinCatalog().find(kind.toStdString());
    QVERIFY(spec != nullptr);
    QCOMPARE(QString::fromStdString(paramHint(*spec, word.toStdString())), hint);
  }

  void kindsAreFoundByTypingErrorsAndByTheNamesOfOthers() {
    const auto like = [](const char* word) { return kindLike(builtinCatalog(), word); };
    QCOMPARE(like("filp"), std::string("flip"));
    QCOMPARE(like("RandomHorizontalFlip"), std::string("flip"));
    QCOMPARE(like("Normalize"), std::string("normalise"));
    QCOMPARE(like("num_workers"), std::string("workers"));
    QCOMPARE(like("augmentation"), std::string());  // A tag of many.
    QCOMPARE(like("horizontal_flip"), std::string("flip"));
    QCOMPARE(kindHint(builtinCatalog(), "ToTensor"), std::string("did you mean `precision`?"));
  }

  void abbreviationsLeadToTheOnlyWordThatTheyFit() {
    const std::vector<std::string> options = {"--set", "--seconds", "--seed", "--on", "--no-store"};
    QCOMPARE(meantWord("--sec", options), std::string("--seconds"));
    QCOMPARE(meantWord("--secs", options), std::string("--seconds"));
    QCOMPARE(meantWord("--seonds", options), std::string("--seconds"));
    QCOMPARE(meantWord("--json", options), std::string());  // Dashes are no letters that agree.
    QCOMPARE(meantWord("ls", {"show", "list"}), std::string("list"));
    QCOMPARE(meantWord("x", {"xyz"}), std::string());
    QCOMPARE(meantWord("", options), std::string());
  }

  /// Otherwise a hint would never appear, or lead in a circle.
  void otherNamesAreOfParametersThatExistAndOfNoneOfThem() {
    const auto check = [](const char* kind, const char* param, const char* names) {
      const NodeSpec* spec = builtinCatalog().find(kind);
      QVERIFY2(spec != nullptr && spec->param(param) != nullptr, kind);
      for (const std::string& name : split(names, ' '))
        QVERIFY2(spec->param(name) == nullptr, (std::string(kind) + "." + name).c_str());
    };
#define MILLRACE_OTHER_NAMES(kind, param, names) check(#kind, #param, names);
#include "core/spec/other_names.def"
#undef MILLRACE_OTHER_NAMES
  }
};

MILLRACE_TEST_CASE(TestDidYouMean)

}  // namespace millrace

#include "tst_did_you_mean.moc"
