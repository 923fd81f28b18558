// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a build without an optional part does with documents and data that need it.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/base/parts.h"
#include "core/codecs/cmyk_colours.h"
#include "core/codecs/codec.h"
#include "core/formats/format.h"
#include "core/formats/lmdb/lz4_value.h"
#include "core/formats/mds/mds_packing.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

void everyPart() {
  QTest::addColumn<std::string>("part");
  for (const OptionalPart& part : allParts())
    QTest::newRow(part.name.data()) << std::string(part.name);
}

/// The error for a picture with this head.
std::string decodingError(const std::string& head) {
  ImageDecoder decoder;
  const auto info = decoder.open(std::as_bytes(std::span(head.data(), head.size())));
  return info ? "" : info.error().message;
}

std::string writingError(const char* format, bool lz4 = false) {
  const tests::TemporaryFolder folder;
  WriteSpec spec;
  spec.folder = folder.path();
  spec.name = "x";
  spec.fields = {{"values", DType::U8, {4}, Layout::Plain, Role::Features}};
  spec.lz4 = lz4;
  const auto writer = formatNamed(format)->openWriter(spec, {});
  return writer ? "" : writer.error().message;
}

std::string shardError(const char* compression) {
  const Status status = checkMdsCompression(compression);
  return status ? "" : status.error().message;
}

/// What the first use of the part reports; empty: it works.
std::vector<std::string> errorsWithout(const std::string& part) {
  using namespace std::string_literals;
  if (part == "tiff") return {decodingError("II*\0"s)};
  if (part == "webp") return {decodingError("RIFF\0\0\0\0WEBP"s)};
  if (part == "gif") return {decodingError("GIF89a")};
  if (part == "avif")
    return {
        decodingError("\0\0\0\x14"
                      "ftypavif\0\0\0\0avif"s)};
  if (part == "heif")
    return {
        decodingError("\0\0\0\x14"
                      "ftypheic\0\0\0\0heic"s)};
  if (part == "jxl") return {decodingError("\xff\x0a")};
  if (part == "openjpeg") return {decodingError("\xff\x4f\xff\x51")};
  if (part == "lcms2") {
    const std::byte profile[] = {std::byte{1}};
    return {CmykColours().setProfile(profile).error().message};
  }
  if (part == "hdf5") return {writingError("hdf5")};
  if (part == "lmdb") return {writingError("lmdb")};
  if (part == "lz4") {
    const auto packed = packedLz4("text");
    return {packed ? "" : packed.error().message};
  }
  if (part == "zstd") return {shardError("zstd")};
  if (part == "brotli") return {shardError("br")};
  if (part == "bzip2") return {shardError("bz2")};
  if (part == "snappy") return {shardError("snappy")};
  return {};
}

}  // namespace

class TestMissingParts : public QObject {
  Q_OBJECT
 private slots:
  void whatNeedsAMissingPartIsRefusedAndNamesThePackage_data() { everyPart(); }
  void whatNeedsAMissingPartIsRefusedAndNamesThePackage() {
    QFETCH(std::string, part);
    for (const std::string& error : errorsWithout(part)) {
      const bool refused = error == missingPart(part).message;
      QVERIFY2(refused == !partNamed(part).built, error.c_str());
    }
  }

  /// Its parameters and what follows are still checked.
  void aNodeThatNeedsAMissingPartIsOneErrorWithARemedy_data() { everyPart(); }
  void aNodeThatNeedsAMissingPartIsOneErrorWithARemedy() {
    QFETCH(std::string, part);
    for (const NodeSpec& spec : builtinCatalog().all()) {
      if (spec.part != part) continue;
      std::string text =
          fmt::format(R"({{"id": "a", "kind": "{}", "params": {}}})", spec.kind, spec.example);
      if (spec.role != NodeRole::Source)
        text = R"({"id": "s", "kind": "synthetic"}, )" + text +
               R"(], "wires": [{"from": "s", "to": "a"})";
      text = R"({"format_version": 1, "nodes": [)" + text + "]}";
      const ReadGraph read = parseGraph(text, builtinCatalog());
      QVERIFY(read.graph);
      int found = 0;
      const CheckResult checked = checkGraph(*read.graph, builtinCatalog(), {});
      for (const Problem& problem : checked.problems.all())
        if (problem.message == whyMissing(partNamed(part))) {
          QCOMPARE(problem.remedy, remedyFor(partNamed(part)));
          ++found;
        }
      QCOMPARE(found, partNamed(part).built ? 0 : 1);
    }
  }

  void theNodesThatNeedAPartSayWhich() {
    QCOMPARE(builtinCatalog().find("hdf5")->part, std::string_view("hdf5"));
    QCOMPARE(builtinCatalog().find("expression")->part, std::string_view("muparser"));
  }
};

}  // namespace millrace

using millrace::TestMissingParts;
MILLRACE_TEST_CASE(TestMissingParts)
#include "tst_missing_parts.moc"
