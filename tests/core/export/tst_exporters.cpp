// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <QProcess>
#include <QStandardPaths>

#include "core/open/examples.h"
#include "tests/core/export/export_subject.h"
#include "tests/support/needs_part.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::chainJson;
using tests::contains;
using tests::exampleData;
using tests::Setup;
using tests::subjectOf;

/// Tar shards with a part whose name is a word of Python.
const std::string kShards = chainJson(
    {R"({"kind": "webdataset", "params": {"parts": ["image=jpg", "lambda=cls:i64:scalar"]}})",
     R"({"kind": "shuffle"})", R"({"kind": "decode"})",
     R"({"kind": "resize", "params": {"height": 32, "width": 32}})", R"({"kind": "batch"})",
     R"({"kind": "drain"})"});

}  // namespace

class TestExporters : public QObject {
  Q_OBJECT
 private slots:
  void chessIsWrittenForPytorchAndTfData() {
    MILLRACE_NEEDS_PART("muparser");
    Setup setup;
    setup.data = exampleData("chess");
    const auto subject = subjectOf(*exampleJson("chess"), setup);
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    for (const char* target : {"pytorch", "tfdata"}) {
      const Result<Exported> exported = findExporter(target)->write(subject->subject);
      VERIFY_OK(exported);
      QVERIFY2(exported->missing.empty(), target);
    }
  }

  /// Kinds of the roles that a target reads by their settings need not say anything.
  void everyKindIsTranslatedToPytorch() {
    for (const NodeSpec& spec : builtinCatalog().all()) {
      if (spec.workers || spec.batch || spec.prefetch || spec.consumer || spec.choice) continue;
      QVERIFY2(spec.exporters.count("pytorch") == 1, spec.kind.c_str());
    }
  }

  void aKindWithoutAnExporterIsListedFirstAndStopsTheCode() {
    Catalog catalog = builtinCatalog();
    NodeSpec spec = *catalog.find("identity");
    spec.kind = "sharpen";
    spec.exporters.clear();
    catalog.add(spec);
    const std::string json =
        chainJson({R"({"kind": "synthetic", "params": {"content": "image"}})",
                   R"({"kind": "sharpen"})", R"({"kind": "batch"})", R"({"kind": "drain"})"});
    const auto subject = subjectOf(json, {}, catalog);
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    for (const Exporter& exporter : exporters()) {
      if (!exporter.translates || exporter.shortOnly) continue;
      const Result<Exported> exported = exportAs(exporter, subject->subject);
      VERIFY_OK(exported);
      QCOMPARE(exported->missing.size(), std::size_t{1});
      QVERIFY(contains(exported->missing.front(), "n1"));
      QVERIFY(exported->text.find("NOT TRANSLATED") < 100);
      const QString code = QString::fromStdString(exported->text).simplified().remove(' ');
      QVERIFY(code.contains("missing(\"n1\""));
      QVERIFY(contains(exported->text, "ACCEPT_MISSING = False"));
      QVERIFY(contains(exported->text, "raise NotImplementedError"));
    }
  }

  void everyKindAnswersEveryTargetThatTranslates() {
    for (const Exporter& exporter : exporters())
      for (const NodeSpec& spec : builtinCatalog().all()) {
        const bool settings = spec.role == NodeRole::Workers || spec.role == NodeRole::Batch ||
                              spec.role == NodeRole::Prefetch || spec.role == NodeRole::Consumer ||
                              spec.role == NodeRole::Choice;
        if (!exporter.translates || settings) continue;
        QVERIFY2(spec.exporters.contains(exporter.texts()),
                 (spec.kind + " for " + exporter.name).c_str());
      }
  }

  void aFillHasAColourForEachChannel() {
    const std::string json =
        chainJson({R"({"kind": "synthetic", "params": {"content": "image"}})",
                   R"({"kind": "affine", "params": {"fill": [9, 8.4]}})",
                   R"({"kind": "pad", "params": {"left": 1, "fill": [7, 7, 7, 7]}})",
                   R"({"kind": "resize", "params": {"mode": "fit", "fill": [1, 2, 3, 4]}})",
                   R"({"kind": "batch"})", R"({"kind": "drain"})"});
    const auto subject = subjectOf(json, {});
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    for (const Exporter& exporter : exporters()) {
      if (!exporter.translates || exporter.shortOnly) continue;
      const Result<Exported> exported = exportAs(exporter, subject->subject);
      VERIFY_OK(exported);
      const bool torch = exporter.texts() == "pytorch";
      // Without spaces: long lines are broken.
      const QString code = QString::fromStdString(exported->text).simplified().remove(' ');
      for (const char* fill :
           torch ? std::array{"fill=(9,8,8)", "\"constant\",7,0", "fill=(1,2,3)"}
                 : std::array{"fill=(9.0,8.0,8.0)", "fill=(7.0,)", "fill=(1.0,2.0,3.0)"})
        QVERIFY2(code.contains(fill), (exporter.name + ": " + fill).c_str());
    }
  }

  void picturesOfDifferentSizesAreForTheEngineOnly() {
    const std::string json = chainJson(
        {R"({"kind": "image_folder", "params": {"paths": ["photos"]}})", R"({"kind": "decode"})",
         R"({"kind": "batch", "params": {"keep_sizes": true}})", R"({"kind": "drain"})"});
    const auto subject = subjectOf(json, {});
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    for (const Exporter& exporter : exporters()) {
      const Result<Exported> exported = exportAs(exporter, subject->subject);
      QCOMPARE(exported.ok(), !exporter.translates || !exporter.isCode);
      if (!exported)
        QVERIFY2(contains(exported.error().message, "leave the pipeline in different sizes"),
                 exported.error().message.c_str());
    }
  }

  void whatReadsShardsOnlyRefusesOthersAndSaysHowToWriteThem() {
    Setup setup;
    setup.data = {"/data/photos"};
    const auto subject = subjectOf(*exampleJson("classification"), setup);
    const Result<Exported> exported = findExporter("webdataset")->write(subject->subject);
    QVERIFY(!exported);
    const std::string& why = exported.error().message;
    QVERIFY2(why.starts_with("image_folder: "), why.c_str());
    QVERIFY2(contains(why, "millrace convert SOURCE TARGET --to webdataset"), why.c_str());
  }

  void whatTheShortFormLacksIsRefusedByTargetsWithoutALongOne() {
    const auto subject = subjectOf(
        chainJson({R"({"kind": "webdataset", "params": {"paths": ["a.tar"]}})",
                   R"({"kind": "take"})", R"({"kind": "decode"})", R"({"kind": "resize"})",
                   R"({"kind": "batch"})", R"({"kind": "drain"})"}),
        {});
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const Result<Exported> exported = findExporter("webdataset")->write(subject->subject);
    QVERIFY(!exported);
    const std::string& why = exported.error().message;
    QVERIFY2(why.starts_with("n1: ") && contains(why, "export to pytorch"), why.c_str());
  }

  void targetsThatCannotUnpackRecordsRefuseThem() {
    MILLRACE_NEEDS_PART("muparser");
    const auto subject = subjectOf(*exampleJson("chess"), {.data = exampleData("chess")});
    for (const char* target : {"dali", "grain"}) {
      const Result<Exported> exported = findExporter(target)->write(subject->subject);
      QVERIFY2(!exported, target);
      const std::string& why = exported.error().message;
      QVERIFY2(why.starts_with("example_parse: ") && contains(why, "`pytorch`"), why.c_str());
    }
  }

  void theFiguresOfARunStandAtTheHead() {
    Setup setup;
    setup.data = {"/data/photos"};
    const auto subject = subjectOf(*exampleJson("classification"), setup);
    subject->subject.figures = {"1 234 samples/s."};
    for (const Exporter& exporter : exporters()) {
      if (!exporter.isCode || !exporter.reads.empty()) continue;
      const Result<Exported> exported = exportAs(exporter, subject->subject);
      VERIFY_OK(exported);
      const std::size_t at = exported->text.find("# - 1 234 samples/s.");
      QVERIFY(at < exported->text.find("\nimport "));
    }
  }

  void userTextStaysInItsPlace() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    const TextList attempts{"\"]; raise SystemExit(7) #",
                            "'\n\"\"\"\nraise SystemExit(7)\n\"\"\"",
                            "\\\"\nraise SystemExit(7)\n#",
                            "\xff\"]; raise SystemExit(7) #",
                            "# coding: utf-7\r+AAo-raise SystemExit(7)",
                            "{0} %s \xe2\x80\xa8raise SystemExit(7)",
                            "class {lambda} {{}} draw(\"n\")",
                            "None fn.random.uniform(types.FLOAT, math.pi) DECODER",
                            "{}"};
    for (const auto& [attempt, example] :
         everyPair(attempts, {"classification", "segmentation", "shards"})) {
      Setup setup;
      setup.name = attempt;
      setup.data = {"/data/" + attempt};
      if (example == "segmentation") setup.data.push_back("/data/" + attempt + attempt);
      const auto subject = subjectOf(example == "shards" ? kShards : *exampleJson(example), setup);
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      subject->subject.figures = {attempt};
      if (example == "segmentation") subject->subject.beside = attempt;
      for (const Exporter& exporter : exporters()) {
        if (!exporter.isCode || exporter.reads.empty() == (example == "shards")) continue;
        for (const bool withTraining : {false, true}) {
          if (withTraining && !exporter.trains) continue;
          subject->subject.withTraining = withTraining;
          const Result<Exported> exported = exportAs(exporter, subject->subject);
          // Braces in the name of a shard are a pattern for several shards.
          if (!exported && example == "shards" && contains(attempt, "{")) {
            QVERIFY(contains(exported.error().message, "its shards cannot be named"));
            continue;
          }
          VERIFY_OK(exported);
          const std::string path = exporter.translates && example != "shards" ? setup.data[0] : "";
          QVERIFY2(staysWhole(exported->text, path), exported->text.c_str());
        }
      }
    }
  }

 private:
  static std::vector<std::pair<std::string, std::string>> everyPair(const TextList& first,
                                                                    const TextList& second) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& a : first)
      for (const std::string& b : second) pairs.emplace_back(a, b);
    return pairs;
  }

  /// Whether no statement of the file raises SystemExit, whatever its texts say, and one of its
  /// texts is the path, byte by byte, if there is one.
  static bool staysWhole(const std::string& code, const std::string& path) {
    QProcess python;
    python.start("python3",
                 {"-c",
                  "import ast, os, sys\n"
                  "tree = ast.parse(sys.stdin.buffer.read())\n"
                  "names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}\n"
                  "texts = [n.value for n in ast.walk(tree)\n"
                  "         if isinstance(n, ast.Constant)]\n"
                  "known = {os.fsencode(t) for t in texts if isinstance(t, (str, bytes))}\n"
                  "path = bytes.fromhex(sys.argv[1])\n"
                  "sys.exit('SystemExit' in names or bool(path) and path not in known)\n",
                  QByteArray::fromStdString(path).toHex()});
    python.write(code.data(), static_cast<qint64>(code.size()));
    python.closeWriteChannel();
    return python.waitForFinished(60000) && python.exitCode() == 0;
  }
};

}  // namespace millrace

using millrace::TestExporters;
MILLRACE_TEST_CASE(TestExporters)
#include "tst_exporters.moc"
