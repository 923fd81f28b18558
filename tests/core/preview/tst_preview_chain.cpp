// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_chain.h"

#include "tests/core/preview/previewed_chain.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::previewOf;
using tests::refusalOf;

namespace {

constexpr const char* kPictures =
    "synthetic {\"content\": \"image\", \"count\": 5, \"height\": 8, \"width\": 9}\n";

std::vector<std::string> nodesOf(const Plan& plan) {
  std::vector<std::string> ids;
  for (const CheckedNode& node : plan.pipeline.nodes) ids.push_back(node.id);
  return ids;
}

}  // namespace

class TestPreviewChain : public QObject {
  Q_OBJECT
 private slots:
  void itEndsAtTheNamedNodeWhateverFollows() {
    KeptSource kept;
    PreviewOptions options = previewOf(std::string(kPictures) + "flip\nnormalise\nbatch", "flip");
    auto plan = previewPlan(options, kept);
    VERIFY_OK(plan);
    QCOMPARE(nodesOf(*plan), (std::vector<std::string>{"synthetic", "flip"}));
    // Without a name it ends at the last node that changes samples.
    options.node.clear();
    plan = previewPlan(options, kept);
    VERIFY_OK(plan);
    QCOMPARE(nodesOf(*plan).back(), std::string("normalise"));
  }

  void whatLeavesSamplesUnchangedIsLeftOut() {
    KeptSource kept;
    PreviewOptions options = previewOf(
        std::string(kPictures) + "shuffle\nworkers\nflip\nbatch\nprefetch\ndrain", "drain");
    options.graph.node("flip")->state = NodeState::Bypass;
    const auto plan = previewPlan(options, kept);
    VERIFY_OK(plan);
    QCOMPARE(nodesOf(*plan), (std::vector<std::string>{"synthetic", "shuffle"}));
    QCOMPARE(plan->orderNodes.size(), std::size_t{1});
  }

  void theSourceStaysOpenWhileItsParametersAreTheSame() {
    KeptSource kept;
    PreviewOptions options = previewOf(std::string(kPictures) + "flip");
    VERIFY_OK(previewPlan(options, kept));
    const auto first = kept.source;
    options.node = "synthetic";
    VERIFY_OK(previewPlan(options, kept));
    QVERIFY(kept.source == first);
    options.graph.node("synthetic")->params["count"] = Value(std::int64_t{6});
    VERIFY_OK(previewPlan(options, kept));
    QVERIFY(kept.source != first);
    QCOMPARE(kept.source->size(), std::size_t{6});
  }

  void aPipelineWithoutASourceSaysSo() {
    QVERIFY(refusalOf(previewOf("flip\nbatch")).find("has no source; begin with one") !=
            std::string::npos);
    QVERIFY(refusalOf(previewOf("flip\nbatch", "flip")).find("flip: it has no source") !=
            std::string::npos);
  }

  void anUnknownNodeOrKindIsNamedWithTheNearest() {
    const std::string node = refusalOf(previewOf(std::string(kPictures) + "flip", "flop"));
    QVERIFY2(node.find("no node `flop`") != std::string::npos &&
                 node.find("`flip`") != std::string::npos,
             node.c_str());
    PreviewOptions options = previewOf(std::string(kPictures) + "flip", "flip");
    options.graph.node("flip")->kind = "fliip";
    const std::string kind = refusalOf(options);
    QVERIFY2(kind.find("flip: this version has no node kind `fliip`") != std::string::npos,
             kind.c_str());
    // Without a name, the chain ends before it.
    options.node.clear();
    KeptSource kept;
    const auto plan = previewPlan(options, kept);
    VERIFY_OK(plan);
    QCOMPARE(nodesOf(*plan), (std::vector<std::string>{"synthetic"}));
  }

  void aCycleIsAnErrorAndNotALoop() {
    PreviewOptions options = previewOf("flip\nnormalise", "flip");
    options.graph.wires.push_back({"normalise", "flip", {}});
    QCOMPARE(refusalOf(options), std::string("the wires form a cycle"));
  }

  void aWrongParameterIsNamedWithItsNode() {
    PreviewOptions options = previewOf(std::string(kPictures) + "flip");
    options.graph.node("flip")->params["horizontal"] = Value(3.0);
    const std::string why = refusalOf(options);
    QVERIFY2(why.starts_with("flip.horizontal: "), why.c_str());
  }

  void dataThatCannotBeReadIsAnErrorOfItsSource() {
    const tests::TemporaryFolder folder;
    const std::string paths = "{\"paths\": [\"" + (folder.path() / "none").string() + "\"]}";
    const std::string missing = refusalOf(previewOf("image_folder " + paths));
    QVERIFY2(missing.find("image_folder") != std::string::npos &&
                 missing.find("none") != std::string::npos,
             missing.c_str());
    folder.write("broken.tfrecord", "no record at all");
    const std::string file = (folder.path() / "broken.tfrecord").string();
    const std::string broken = refusalOf(previewOf("tfrecord {\"paths\": [\"" + file + "\"]}"));
    QVERIFY2(broken.starts_with("tfrecord: "), broken.c_str());
  }
};

}  // namespace millrace

using millrace::TestPreviewChain;
MILLRACE_TEST_CASE(TestPreviewChain)
#include "tst_preview_chain.moc"
