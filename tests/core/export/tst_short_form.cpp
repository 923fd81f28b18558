// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/short_form.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/export/export_check.h"
#include "core/open/examples.h"
#include "tests/core/export/export_subject.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::exampleData;
using tests::Setup;
using tests::subjectOf;
using tests::TemporaryFolder;

/// What a target writes for an example whose data was opened.
std::string exportedWithData(const char* target, const char* example, const TextList& data) {
  const ReadGraph read = parseGraph(*exampleJson(example), builtinCatalog());
  const Graph graph = *applyData(*read.graph, builtinCatalog(), data);
  const ExportCheck check = checkForExport(graph, builtinCatalog(), "/", false);
  ExportSubject subject;
  subject.graph = &graph;
  subject.catalog = &builtinCatalog();
  subject.pipeline = check.pipeline ? &*check.pipeline : nullptr;
  subject.dataKnown = check.dataKnown;
  subject.name = example;
  subject.version = "0.0";
  if (subject.pipeline == nullptr || !subject.dataKnown) return "the data was not opened";
  return findExporter(target)->write(subject)->text;
}

/// Two classes of two files.
void writeClasses(const TemporaryFolder& folder, const char* ending) {
  for (const char* name : {"a/1", "a/2", "b/1", "b/2"})
    folder.write(std::string("photos/") + name + ending, "x");
}

std::string photos(const TemporaryFolder& folder) { return (folder.path() / "photos").native(); }

}  // namespace

class TestShortForm : public QObject {
  Q_OBJECT
 private slots:
  void examplesAreNoLongerThanAFileWrittenByHand() {
    MILLRACE_NEEDS_PART("muparser");
    constexpr std::array<std::pair<const char*, int>, 7> kMost = {{{"pytorch", 120},
                                                                   {"huggingface", 120},
                                                                   {"tfdata", 120},
                                                                   {"dali", 100},
                                                                   {"dali-dynamic", 100},
                                                                   {"grain", 120},
                                                                   {"python", 40}}};
    for (const Example& example : examples())
      for (const auto& [target, most] : kMost) {
        if (example.name == "chess" && !tests::unpacksRecords(target)) continue;
        const bool isTranslated = tests::isTranslated(example.name, target);
        if (!isTranslated && std::string_view(target) != "python") continue;
        Setup setup;
        setup.data = exampleData(example.name);
        setup.name = std::string(example.name);
        const auto subject = subjectOf(*exampleJson(example.name), setup);
        QVERIFY2(subject->pipeline, subject->problems.c_str());
        subject->subject.beside = "loader.pipeline.json";
        const Result<Exported> exported = findExporter(target)->write(subject->subject);
        VERIFY_OK(exported);
        if (!exported->missing.empty()) continue;
        const auto lines = std::count(exported->text.begin(), exported->text.end(), '\n');
        QVERIFY2(lines <= most,
                 fmt::format("{} {}: {} lines", target, example.name, lines).c_str());
      }
  }

  void eachRankOfDaliHasItsGpuAndNoEmptyBatch() {
    // The second has a kind without a short form.
    for (const char* more : {R"({"kind": "shuffle"})", R"({"kind": "shard"})"}) {
      const auto subject =
          subjectOf(tests::chainJson({R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                                      more, R"({"kind": "decode"})", R"({"kind": "resize"})",
                                      R"({"kind": "batch"})", R"({"kind": "drain"})"}),
                    {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const std::string code = findExporter("dali")->write(subject->subject)->text;
      if (contains(more, "shuffle")) QVERIFY(contains(code, "\"pad_last_batch\": True"));
      for (const char* part : {"device_id=DEVICE_ID,", "os.environ.get(\"LOCAL_RANK\", 0)",
                               "return batch if len(batch[FIELDS[0]]) else next(self)"})
        QVERIFY2(contains(code, part), code.c_str());
    }
  }

  void theDynamicModeOfDaliTakesPartsOfPipelinesAndRefusesTheFirstNodeThatHasNone() {
    const auto exportOf = [](const char* node) {
      const auto subject =
          subjectOf(tests::chainJson({R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                                      R"({"kind": "decode"})", R"({"kind": "resize"})", node,
                                      R"({"kind": "batch"})", R"({"kind": "drain"})"}),
                    {});
      return findExporter("dali-dynamic")->write(subject->subject);
    };
    const Result<Exported> flipped = exportOf(R"({"kind": "flip"})");
    VERIFY_OK(flipped);
    QVERIFY2(contains(flipped->text, "ndd.random.coin_flip(probability=0.5, **DRAW)"),
             flipped->text.c_str());
    QVERIFY2(!contains(flipped->text, "fn."), flipped->text.c_str());
    const Result<Exported> cropped =
        exportOf(R"({"kind": "centre_crop", "params": {"height": 9, "width": 7}})");
    VERIFY_OK(cropped);
    QVERIFY2(contains(cropped->text, "crop=[9, 7], rounding=\"truncate\""), cropped->text.c_str());
    for (const char* node : {R"({"kind": "blur"})", R"({"kind": "noise"})",
                             R"({"kind": "pad", "params": {"left": 9}})"}) {
      const Result<Exported> refused = exportOf(node);
      QVERIFY2(!refused, node);
      const std::string& why = refused.error().message;
      QVERIFY2(why.starts_with("n3: ") && contains(why, "cannot express it: export to"),
               why.c_str());
    }
  }

  void boxesMoveByTorchvisionsTransforms() {
    Setup setup;
    setup.data = exampleData("detection");
    const auto subject = subjectOf(*exampleJson("detection"), setup);
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const std::string code = findExporter("pytorch")->write(subject->subject)->text;
    for (const char* part : {"v2.RandomIoUCrop(0.3, 1.0, 0.5, 2.0, trials=40)",
                             "v2.SanitizeBoundingBoxes(min_size=2.0", "TRANSFORM(sample)",
                             "collate_fn=collate,", "RAGGED = (\"boxes\", \"label\")"})
      QVERIFY2(contains(code, part), code.c_str());
  }

  void geometryThatLeavesBoxesBehindIsNotShort() {
    const std::string json =
        tests::chainJson({R"({"kind": "detection", "params": {"path": "/data/annotations.json"}})",
                          R"({"kind": "decode"})",
                          R"({"kind": "affine", "params": {"rotation": 10, "border": "edge"}})",
                          R"({"kind": "batch"})", R"({"kind": "drain"})"});
    const auto subject = subjectOf(json, {});
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const Result<Exported> exported = findExporter("pytorch")->write(subject->subject);
    VERIFY_OK(exported);
    QVERIFY2(contains(exported->text, "its code for PyTorch does not move boxes"),
             exported->text.c_str());
    QVERIFY(!exported->missing.empty());  // It does not start.
  }

  void recordsAreParsedInWholeBatchesIfThePipelineDoesSo() {
    MILLRACE_NEEDS_PART("muparser");
    Setup setup;
    setup.data = exampleData("chess");
    const auto subject = subjectOf(*exampleJson("chess"), setup);
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const std::string code = findExporter("tfdata")->write(subject->subject)->text;
    QVERIFY2(contains(code, "tf.io.parse_example("), code.c_str());
    QVERIFY2(code.find("ds.batch(") < code.find("ds.map(load_batch"), code.c_str());
    const std::string torch = findExporter("pytorch")->write(subject->subject)->text;
    QVERIFY2(contains(torch, "def load_batch(records):"), torch.c_str());
    QVERIFY2(contains(torch, "collate_fn=load_batch,"), torch.c_str());
  }

  void recordsThatAreParsedOneByOneNeedTheLongFormInPyTorch() {
    const auto subject = subjectOf(
        tests::chainJson(
            {R"({"kind": "tfrecord", "params": {"paths": ["/data"], "content": "bytes"}})",
             R"({"kind": "example_parse", "params": {"keys": ["score=s:i64:scalar"]}})",
             R"({"kind": "batch"})", R"({"kind": "drain"})"}),
        {});
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const std::string code = findExporter("pytorch")->write(subject->subject)->text;
    QVERIFY2(contains(code, "# Longer than usual. n1: it changes single records."), code.c_str());
  }

  /// The short sources deliver paths, the long decoders take bytes.
  void decodingThatHasNoShortFormIsNotMixedWithAShortSource() {
    for (const char* params :
         {R"({"form": "stored", "channels": 7})", R"({"orientation": "ignore"})"})
      for (const char* target : {"pytorch", "dali"}) {
        if (std::string_view(target) == "dali" && contains(params, "stored")) continue;
        const auto subject = subjectOf(
            tests::chainJson({R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                              fmt::format(R"({{"kind": "decode", "params": {}}})", params),
                              R"({"kind": "resize", "params": {"height": 64, "width": 64}})",
                              R"({"kind": "batch"})", R"({"kind": "drain"})"}),
            {});
        QVERIFY2(subject->pipeline, subject->problems.c_str());
        const std::string code = findExporter(target)->write(subject->subject)->text;
        QVERIFY2(contains(code, "# Longer than usual. n1: it "), code.c_str());
      }
  }

  /// torchcodec returns all frames of an animation.
  void animationsHaveOneFrameInPyTorchOrFailAsTheHeadSays() {
    for (const char* orientation : {"apply", "ignore"}) {
      const auto subject =
          subjectOf(tests::chainJson(
                        {R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                         fmt::format(R"({{"kind": "decode", "params": {{"orientation": "{}"}}}})",
                                     orientation),
                         R"({"kind": "resize", "params": {"height": 64, "width": 64}})",
                         R"({"kind": "batch"})", R"({"kind": "drain"})"}),
                    {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const std::string code = findExporter("pytorch")->write(subject->subject)->text;
      const bool isShort = std::string_view(orientation) == "apply";
      QCOMPARE(contains(code, "return pixels[0] if pixels.ndim == 4 else pixels"), !isShort);
      QCOMPARE(contains(code, "# - Animated pictures fail."), isShort);
      QVERIFY2(code.find("decode_image(") == code.rfind("decode_image("), code.c_str());
    }
  }

  void onlyFilesThatMayBeAnimationsAreAskedForTheirFirstFrame() {
    for (const auto& [ending, animated] : {std::pair(".jpg", false), {".webp", true}}) {
      const TemporaryFolder folder;
      writeClasses(folder, ending);
      const std::string code = exportedWithData("pytorch", "classification", {photos(folder)});
      QCOMPARE(contains(code, "first_picture"), animated);
      QCOMPARE(contains(code, "decode_image(sample[\"image\"], mode=\"RGB\")"), !animated);
    }
  }

  void onePictureIsATensorAndSeveralHaveTheirTypes() {
    for (const auto& [example, typed] :
         {std::pair("classification", false), {"segmentation", true}}) {
      Setup setup;
      setup.data = exampleData(example);
      const auto subject = subjectOf(*exampleJson(example), setup);
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const std::string code = findExporter("pytorch")->write(subject->subject)->text;
      QCOMPARE(contains(code, "tv_tensors"), typed);
      QCOMPARE(contains(code, "sample[\"image\"] = TRANSFORM(sample[\"image\"])"), !typed);
    }
  }

  void oneHotMasksHaveTheirClassesLastInPyTorchIfThePipelineSaysSo() {
    for (const char* layout : {"nhwc", "nchw"}) {
      const auto subject = subjectOf(
          tests::chainJson(
              {R"({"kind": "paired_folders",
                   "params": {"input": "/data/a", "target": "/data/b", "pair": "mask"}})",
               R"({"kind": "decode"})", R"({"kind": "resize"})",
               fmt::format(R"({{"kind": "one_hot", "params": {{"classes": 3, "layout": "{}"}}}})",
                           layout),
               R"({"kind": "batch"})", R"({"kind": "drain"})"}),
          {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const std::string code = findExporter("pytorch")->write(subject->subject)->text;
      QVERIFY2(!contains(code, "Longer than usual"), code.c_str());
      QCOMPARE(contains(code,
                        "for name in (\"image\", \"mask\"):\n"
                        "        sample[name] = sample[name].permute(1, 2, 0)"),
               std::string_view(layout) == "nhwc");
    }
  }

  void normalisationTakesOverTheMirroringInDali() {
    Setup setup;
    setup.data = exampleData("segmentation");
    const auto subject = subjectOf(*exampleJson("segmentation"), setup);
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const std::string code = findExporter("dali")->write(subject->subject)->text;
    QVERIFY2(contains(code, "sample[\"image\"], mirror=mirror, "), code.c_str());
    QVERIFY2(!contains(code, "fn.flip(sample[\"image\"]"), code.c_str());
    QVERIFY2(contains(code, "fn.flip(sample[\"mask\"], horizontal=mirror)"), code.c_str());
  }

  void aResizedPictureStaysFloatsInTensorFlowIfItBecomesFloats() {
    const char* resize = R"({"kind": "resize", "params": {"height": 64, "width": 64}})";
    for (const bool floats : {true, false}) {
      const char* last = floats ? R"({"kind": "normalise"})" : R"({"kind": "flip"})";
      const auto subject =
          subjectOf(tests::chainJson({R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                                      R"({"kind": "decode"})", resize, R"({"kind": "flip"})", last,
                                      R"({"kind": "batch"})", R"({"kind": "drain"})"}),
                    {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const std::string code = findExporter("tfdata")->write(subject->subject)->text;
      QVERIFY2(contains(code, "tf.uint8") != floats && contains(code, "tf.round("), code.c_str());
    }
  }

  /// A lone transform costs a call of torchvision's for each picture.
  void aFlipBetweenStatementsIsAStatementInPyTorch() {
    const char* warp = R"({"kind": "affine", "params": {"rotation": 10, "border": "edge"}})";
    const char* turn = R"({"kind": "flip", "params": {"horizontal": 0, "vertical": 0.5}})";
    for (const bool lone : {true, false}) {
      const auto subject = subjectOf(
          tests::chainJson({R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                            R"({"kind": "decode"})", R"({"kind": "resize"})", lone ? warp : turn,
                            R"({"kind": "flip"})", R"({"kind": "batch"})", R"({"kind": "drain"})"}),
          {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const std::string code = findExporter("pytorch")->write(subject->subject)->text;
      QCOMPARE(contains(code, "sample[\"image\"] = sample[\"image\"].flip(-1)"), lone);
      QCOMPARE(contains(code, "v2.RandomHorizontalFlip"), !lone);
    }
  }

  void aCropAfterTheDecoderOfJpegDecodesItsPart() {
    const TemporaryFolder folder;
    writeClasses(folder, ".jpg");
    const std::string code = exportedWithData("tfdata", "classification", {photos(folder)});
    QVERIFY2(contains(code, "tf.image.decode_and_crop_jpeg("), code.c_str());
    QVERIFY2(!contains(code, "tf.io.decode_jpeg("), code.c_str());
  }

  void otherFilesAreDecodedInFull() {
    const TemporaryFolder folder;
    writeClasses(folder, ".png");
    const std::string code = exportedWithData("tfdata", "classification", {photos(folder)});
    QVERIFY2(!contains(code, "decode_and_crop_jpeg"), code.c_str());
    QVERIFY2(contains(code, "tf.io.decode_jpeg("), code.c_str());
  }

  void aTrainingFolderIsReadWithoutItsLooseFiles() {
    const TemporaryFolder folder;
    for (const char* name : {"train/a/1.jpg", "train/b/1.jpg", "train/loose.jpg", "val/a/2.jpg"})
      folder.write(std::string("photos/") + name, "x");
    const std::string code = exportedWithData("pytorch", "classification", {photos(folder)});
    QVERIFY2(contains(code, "photos/train\"") && !contains(code, "Longer"), code.c_str());
  }

  /// torchvision and DALI list folders by the endings of names, and also hidden ones.
  void whatTheReaderOfFoldersWouldListDifferentlyNeedsTheLongForm() {
    for (const char* odd : {"a/3.jfif", ".hidden/1.jpg", "a/.1.jpg"}) {
      const TemporaryFolder folder;
      writeClasses(folder, ".JPG");
      folder.write(std::string("photos/") + odd, "x");
      for (const char* target : {"pytorch", "dali"})
        QVERIFY2(contains(exportedWithData(target, "classification", {photos(folder)}),
                          "# Longer than usual. image_folder: "),
                 odd);
      QVERIFY2(!contains(exportedWithData("tfdata", "classification", {photos(folder)}), "Longer"),
               odd);
    }
  }

  /// A plain list of CLASS/FILE would leave out, add or number something else.
  void dataOutOfTheOrdinaryNeedsTheLongFormAndTheHeadSaysWhy() {
    for (const char* odd : {"a/deep/1.jpg", "a/notes.txt", "c/.keep", "a/\xff.jpg"}) {
      const TemporaryFolder folder;
      writeClasses(folder, ".jpg");
      folder.write(std::string("photos/") + odd, "x");
      for (const char* target : {"pytorch", "tfdata", "dali"}) {
        const std::string code = exportedWithData(target, "classification", {photos(folder)});
        QVERIFY2(contains(code, "# Longer than usual. image_folder: "), odd);
        QVERIFY2(contains(code, "is_junk"), odd);
      }
    }
  }

  void pairsInTheOrderOfTheirNamesAreShortAndOthersAreNot() {
    const TemporaryFolder folder;
    for (const char* name : {"in/1.jpg", "in/2.jpg", "out/1.png", "out/2.png"})
      folder.write(name, "x");
    const TextList data{(folder.path() / "in").native(), (folder.path() / "out").native()};
    const std::string code = exportedWithData("tfdata", "segmentation", data);
    QVERIFY2(contains(code, "def list_pairs(") && !contains(code, "Longer than usual"),
             code.c_str());
    folder.write("out/3.png", "x");
    QVERIFY(contains(exportedWithData("tfdata", "segmentation", data), "Longer than usual"));
  }

  void withoutRandomValuesTheHeadSaysNothingOfThem() {
    for (const char* target : {"pytorch", "tfdata", "dali"})
      for (const bool noRandom : {false, true}) {
        Setup setup;
        setup.data = exampleData("classification");
        setup.noRandom = noRandom;
        const auto subject = subjectOf(*exampleJson("classification"), setup);
        QVERIFY2(subject->pipeline, subject->problems.c_str());
        const std::string code = findExporter(target)->write(subject->subject)->text;
        QVERIFY2(contains(code, "random values come from") != noRandom, code.c_str());
      }
  }

  void whatHasNoShortFormIsNamed() {
    const std::string json =
        tests::chainJson({R"({"kind": "image_folder", "params": {"paths": ["/data"]}})",
                          R"({"kind": "repeat"})", R"({"kind": "decode"})", R"({"kind": "resize"})",
                          R"({"kind": "batch"})", R"({"kind": "drain"})"});
    const auto subject = subjectOf(json, {});
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    for (const char* target : {"pytorch", "tfdata", "dali"})
      QCOMPARE(shortForm(subject->subject, target).why,
               std::string("n1: kind repeat has no short form."));
  }
};

}  // namespace millrace

using millrace::TestShortForm;
MILLRACE_TEST_CASE(TestShortForm)
#include "tst_short_form.moc"
