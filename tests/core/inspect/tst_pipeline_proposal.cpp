// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/pipeline_proposal.h"

#include "core/codecs/encode.h"
#include "core/formats/format.h"
#include "core/nodes/builtin.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

std::vector<std::byte> pictureOf(int width, int height) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * height * 3, 90);
  return encodePng({pixels.data(), width, height, 3, std::ptrdiff_t{width} * 3}).take();
}

/// Pairs of equal pictures, the smallest 60 wide and 90 high, as the format writes them.
Status writePairs(const Format& format, const fs::path& folder) {
  WriteSpec spec;
  spec.folder = folder;
  spec.name = "pairs";
  spec.fields = {{"image", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Image},
                 {"target", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Target}};
  MILLRACE_ASSIGN_OR_RETURN(const auto writer, format.openWriter(spec, {}));
  int number = 0;
  for (const auto& [width, height] : {std::pair(120, 123), {60, 100}, {70, 90}}) {
    const auto file = pictureOf(width, height);
    const TensorView value{DType::Encoded,
                           Layout::Plain,
                           {static_cast<std::int64_t>(file.size())},
                           const_cast<std::byte*>(file.data()),
                           file.size()};
    const std::string key = std::to_string(number++);
    const std::array values = {value, value};
    MILLRACE_TRY(writer->add({key, values}));
  }
  return writer->finish();
}

std::int64_t numberOf(const Graph& graph, const char* kind, const char* param) {
  for (const GraphNode& node : graph.nodes)
    if (node.kind == kind) return std::get<std::int64_t>(std::get<Value>(node.params.at(param)));
  return -1;
}

}  // namespace

class TestPipelineProposal : public QObject {
  Q_OBJECT
 private slots:
  void cropsOfContainersFitTheSmallestPicture() {
    MILLRACE_NEEDS_PART("lmdb");
    const tests::TemporaryFolder folder;
    VERIFY_OK(writePairs(*formatNamed("lmdb"), folder.path()));
    const FolderContent content = detectContent(folder.path());
    const auto proposal = proposePipeline(content, builtinCatalog());
    VERIFY_OK(proposal);
    QCOMPARE(numberOf(proposal->graph, "random_crop", "width"), std::int64_t{56});
    QCOMPARE(numberOf(proposal->graph, "random_crop", "height"), std::int64_t{88});
    QVERIFY(proposal->notes.find("the smallest picture found has 60") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestPipelineProposal;
MILLRACE_TEST_CASE(TestPipelineProposal)
#include "tst_pipeline_proposal.moc"
