// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Every shipped example and a few more pipelines in every target, compared with the files in
// golden/. MILLRACE_REGENERATE=1 writes them instead.
#include <array>
#include <filesystem>

#include <QProcess>
#include <QStandardPaths>

#include "core/samples/examples.h"
#include "tests/core/export/export_subject.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::chainJson;
using tests::contains;
using tests::goldenProblem;
using tests::kGolden;
using tests::Setup;
using tests::subjectOf;

/// Pipelines with the kinds that no example has.
std::string widePipeline(const std::string& name) {
  const std::string decode = R"({"kind": "decode", "params": {"scaling": "full"}})";
  const std::string workers = R"({"kind": "workers"})";
  const std::string end = R"({"kind": "drain"})";
  if (name == "mixing")
    return chainJson(
        {R"({"kind": "manifest", "params": {"paths": ["t.csv"], "label_column": "class"}})",
         R"({"kind": "split"})",
         R"({"kind": "shuffle", "params": {"mode": "window"}})",
         R"({"kind": "balance"})",
         R"({"kind": "take"})",
         R"({"kind": "repeat"})",
         R"({"kind": "shard", "params": {"world": 4, "uneven": "drop"}})",
         workers,
         R"({"kind": "memory_cache"})",
         decode,
         R"({"kind": "resize", "params": {"mode": "fit", "filter": "bicubic"}})",
         R"({"kind": "pad", "params": {"border": "reflect"}})",
         R"({"kind": "random_crop", "params": {"height": 200, "width": 200}})",
         R"({"kind": "jitter"})",
         R"({"kind": "grayscale"})",
         R"({"kind": "blur"})",
         R"({"kind": "erase"})",
         R"({"kind": "identity"})",
         R"({"kind": "precision", "params": {"dtype": "bf16"}})",
         R"({"kind": "one_hot", "params": {"classes": 10}})",
         R"({"kind": "batch", "params": {"on_failure": "fill"}})",
         R"({"kind": "mixup"})",
         R"({"kind": "cutmix"})",
         end});
  return chainJson(
      {R"({"kind": "paired_folders", "params": {"input": "all", "pair": "mask", "input_suffix": "_a"}})",
       workers, R"({"kind": "decode", "params": {"orientation": "ignore"}})",
       R"({"kind": "crop", "params": {"x": 4, "y": 8}})",
       R"({"kind": "centre_crop", "params": {"pad": true, "mask_fill": 255}})",
       R"({"kind": "affine"})", R"({"kind": "channel_shift"})",
       R"({"kind": "random_resized_crop"})",
       R"({"kind": "one_hot", "params": {"classes": 9, "ignore_index": 255}})",
       R"({"kind": "batch", "params": {"pad_height": 256, "pad_width": 256}})", end});
}

TextList exampleData(std::string_view name) {
  if (name == "classification" || name == "cats-vs-dogs") return {"/data/photos"};
  if (name == "chess") return {"/data/records"};
  return {"/data/inputs", "/data/targets"};
}

}  // namespace

class TestExporters : public QObject {
  Q_OBJECT
 private slots:
  void everyExampleIsWrittenAsItsGoldenFile_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("example");
    QTest::addColumn<bool>("noRandom");
    for (const Exporter& exporter : exporters())
      for (const Example& example : examples())
        for (const bool noRandom : {false, true}) {
          if (noRandom && !exporter.isCode) continue;
          const QString target = QString::fromStdString(exporter.name);
          const QString name = QString::fromUtf8(example.name.data(), example.name.size());
          QTest::addRow("%s %s%s", exporter.name.c_str(), qPrintable(name),
                        noRandom ? " no-random" : "")
              << target << name << noRandom;
        }
  }

  void everyExampleIsWrittenAsItsGoldenFile() {
    QFETCH(QString, target);
    QFETCH(QString, example);
    QFETCH(bool, noRandom);
    Setup setup;
    setup.name = example.toStdString();
    setup.data = exampleData(setup.name);
    setup.noRandom = noRandom;
    const std::string problem =
        goldenProblem(*findExporter(target.toStdString()), *exampleJson(setup.name), setup);
    QVERIFY2(problem.empty(), problem.c_str());
  }

  void kindsThatNoExampleHasAreWrittenAsTheirGoldenFiles() {
    for (const Exporter& exporter : exporters())
      for (const char* name : {"mixing", "masks"})
        for (const bool noRandom : {false, true}) {
          if (!exporter.isCode) continue;
          Setup setup;
          setup.name = name;
          setup.noRandom = noRandom;
          const std::string problem = goldenProblem(exporter, widePipeline(name), setup);
          QVERIFY2(problem.empty(), problem.c_str());
        }
  }

  void chessIsWrittenForPytorchAndTfData() {
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

  void everyGoldenFileIsPython() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    QStringList files;
    for (const auto& entry : fs::recursive_directory_iterator(kGolden))
      if (entry.path().extension() == ".py") files << QString::fromStdString(entry.path().string());
    QVERIFY(!files.isEmpty());
    QProcess python;
    python.start("python3", QStringList{"-c",
                                        "import sys\n"
                                        "for name in sys.argv[1:]:\n"
                                        "    compile(open(name, 'rb').read(), name, 'exec')\n"} +
                                files);
    QVERIFY(python.waitForFinished(60000));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
  }

  /// Kinds of the roles that a target reads by their settings need not say anything.
  void everyKindIsTranslatedToPytorch() {
    for (const NodeSpec& spec : builtinCatalog().all()) {
      if (spec.workers || spec.batch || spec.prefetch || spec.consumer) continue;
      QVERIFY2(spec.exporters.count("pytorch") == 1, spec.kind.c_str());
    }
  }

  void aKindThatSaysNothingIsNamedFirstAndStopsTheCode() {
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
      if (!exporter.translates) continue;
      const Result<Exported> exported = exporter.write(subject->subject);
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

  void everyKindSaysSomethingForEveryTargetThatTranslates() {
    for (const Exporter& exporter : exporters())
      for (const NodeSpec& spec : builtinCatalog().all()) {
        const bool settings = spec.role == NodeRole::Workers || spec.role == NodeRole::Batch ||
                              spec.role == NodeRole::Prefetch || spec.role == NodeRole::Consumer;
        if (!exporter.translates || settings) continue;
        QVERIFY2(spec.exporters.contains(exporter.name),
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
      if (!exporter.translates) continue;
      const Result<Exported> exported = exporter.write(subject->subject);
      VERIFY_OK(exported);
      const bool torch = exporter.name == "pytorch";
      // Without spaces: long lines are broken.
      const QString code = QString::fromStdString(exported->text).simplified().remove(' ');
      for (const char* fill :
           torch ? std::array{"fill=(9,8,8)", "\"constant\",7,0", "fill=(1,2,3)"}
                 : std::array{"fill=(9.0,8.0,8.0)", "fill=(7.0,)", "fill=(1.0,2.0,3.0)"})
        QVERIFY2(code.contains(fill), (exporter.name + ": " + fill).c_str());
    }
  }

  void theFiguresOfARunStandAtTheHead() {
    Setup setup;
    setup.data = {"/data/photos"};
    const auto subject = subjectOf(*exampleJson("classification"), setup);
    subject->subject.figures = {"1 234 samples/s."};
    for (const Exporter& exporter : exporters()) {
      if (!exporter.isCode) continue;
      const Result<Exported> exported = exporter.write(subject->subject);
      VERIFY_OK(exported);
      const std::size_t at = exported->text.find("# - 1 234 samples/s.");
      QVERIFY(at < exported->text.find("\"\"\""));
    }
  }

  void nothingThatAPersonNamesLeavesItsPlace() {
    if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("there is no python3");
    const TextList attempts{"\"]; raise SystemExit(7) #",
                            "'\n\"\"\"\nraise SystemExit(7)\n\"\"\"",
                            "\\\"\nraise SystemExit(7)\n#",
                            "\xff\"]; raise SystemExit(7) #",
                            "# coding: utf-7\r+AAo-raise SystemExit(7)",
                            "{0} %s \xe2\x80\xa8raise SystemExit(7)"};
    for (const std::string& attempt : attempts) {
      Setup setup;
      setup.name = attempt;
      setup.data = {"/data/" + attempt};
      const auto subject = subjectOf(*exampleJson("classification"), setup);
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      subject->subject.figures = {attempt};
      for (const Exporter& exporter : exporters()) {
        if (!exporter.isCode) continue;
        const Result<Exported> exported = exporter.write(subject->subject);
        VERIFY_OK(exported);
        QVERIFY2(staysWhole(exported->text), exported->text.c_str());
      }
    }
  }

 private:
  /// Whether no statement of the file raises SystemExit, whatever its texts say.
  static bool staysWhole(const std::string& code) {
    QProcess python;
    python.start("python3", {"-c",
                             "import ast, sys\n"
                             "tree = ast.parse(sys.stdin.buffer.read())\n"
                             "names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}\n"
                             "sys.exit('SystemExit' in names)\n"});
    python.write(code.data(), static_cast<qint64>(code.size()));
    python.closeWriteChannel();
    return python.waitForFinished(60000) && python.exitCode() == 0;
  }
};

}  // namespace millrace

using millrace::TestExporters;
MILLRACE_TEST_CASE(TestExporters)
#include "tst_exporters.moc"
