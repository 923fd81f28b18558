// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/choice_text.h"

#include <string>

#include <fmt/format.h>

#include "tests/core/export/export_subject.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;

/// What a target writes for pictures with these nodes and a choice with these parameters.
Result<Exported> exported(const char* target, const std::vector<std::string>& nodes,
                          const std::string& choice) {
  std::vector<std::string> all{R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                               R"({"kind": "decode"})",
                               R"({"kind": "resize", "params": {"height": 32, "width": 32}})"};
  all.insert(all.end(), nodes.begin(), nodes.end());
  all.insert(all.end(), {R"({"kind": "batch"})", R"({"kind": "drain"})"});
  std::string json = tests::chainJson(all);
  json.replace(
      json.find("\"nodes\": ["), 10,
      fmt::format(R"("nodes": [{{"id": "choose", "kind": "choose", "params": {}}}, )", choice));
  const auto subject = tests::subjectOf(json, {});
  if (!subject->pipeline) return Error{subject->problems};
  return findExporter(target)->write(subject->subject);
}

const std::vector<std::string> kTwo{R"({"kind": "flip", "params": {"horizontal": 1.0}})",
                                    R"({"kind": "blur", "params": {"probability": 1.0}})"};

/// PyTorch's code for a choice of two transforms, without spaces.
std::string torchCode(const std::string& choice) {
  const Result<Exported> code = exported("pytorch", kTwo, choice);
  if (!code) return code.error().message;
  if (!code->missing.empty()) return "missing";
  std::string text = code->text;
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

}  // namespace

class TestChoiceText : public QObject {
  Q_OBJECT
 private slots:
  void pyTorchChoosesAndApplies() {
    const std::string one = torchCode(R"({"nodes": ["n3", "n4"], "weights": [2, 1]})");
    QVERIFY2(contains(one, "v2.RandomChoice(") && contains(one, "p=(2.0,1.0)"), one.c_str());
    QVERIFY2(!contains(one, "v2.RandomApply("), one.c_str());
    const std::string often = torchCode(R"({"nodes": ["n3", "n4"], "probability": 0.8})");
    QVERIFY2(contains(often, "v2.RandomApply("), often.c_str());
    QVERIFY2(contains(often, "v2.RandomChoice(") && contains(often, "p=0.8"), often.c_str());
    const std::string all = torchCode(R"({"nodes": ["n3", "n4"], "count": 0, "probability": 0.3})");
    QVERIFY2(contains(all, "v2.RandomApply(") && contains(all, "p=0.3"), all.c_str());
    QVERIFY2(!contains(all, "v2.RandomChoice("), all.c_str());
  }

  void aCertainChoiceLeavesNoTrace() {
    const std::string code = torchCode(R"({"nodes": ["n3", "n4"], "count": 0})");
    QVERIFY2(!contains(code, "v2.RandomApply(") && !contains(code, "v2.RandomChoice("),
             code.c_str());
  }

  void whatATargetCannotDoIsNamed() {
    std::vector<std::string> three = kTwo;
    three.emplace_back(R"({"kind": "posterize", "params": {"probability": 1.0}})");
    const Result<Exported> some =
        exported("pytorch", three, R"({"nodes": ["n3", "n4", "n5"], "count": 2})");
    VERIFY_OK(some);
    QCOMPARE(some->missing.size(), std::size_t{1});
    QVERIFY2(contains(some->text, "choose applies 2 of 3 nodes"), some->text.c_str());
    for (const char* target : {"tfdata", "dali", "grain"}) {
      const Result<Exported> other = exported(target, kTwo, R"({"nodes": ["n3", "n4"]})");
      VERIFY_OK(other);
      QVERIFY2(other->missing.size() == 1, target);
    }
    const Result<Exported> engine = exported("python", kTwo, R"({"nodes": ["n3", "n4"]})");
    VERIFY_OK(engine);
    QVERIFY(engine->missing.empty());
  }
};

}  // namespace millrace

using millrace::TestChoiceText;
MILLRACE_TEST_CASE(TestChoiceText)
#include "tst_choice_text.moc"
