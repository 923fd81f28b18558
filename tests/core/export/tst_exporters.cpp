// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Every shipped example and a few more pipelines in every target, compared with the files in
// golden/. MILLRACE_REGENERATE=1 writes them instead.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <QProcess>
#include <QStandardPaths>

#include "core/export/exporter.h"
#include "core/graph/graph_check.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/samples/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

const fs::path kGolden = fs::path(MILLRACE_SOURCE_DIR) / "tests/core/export/golden";

/// A pipeline with everything that an exporter wants of it.
struct Subject {
  Graph graph;
  std::optional<CheckedPipeline> pipeline;
  std::string problems;
  ExportSubject subject;
};

struct Setup {
  std::string name = "pipeline";
  TextList data;
  TextList settings;
  bool noRandom = false;
};

std::unique_ptr<Subject> subjectOf(const std::string& json, const Setup& setup,
                                   const Catalog& catalog = builtinCatalog()) {
  auto made = std::make_unique<Subject>();
  const ReadGraph read = parseGraph(json, catalog);
  for (const Problem& problem : read.problems.all()) made->problems += problem.text() + "\n";
  if (!read.graph) return made;
  made->graph = *applyData(*read.graph, catalog, setup.data);
  for (const std::string& setting : setup.settings) {
    const Result<Graph> changed = applySetting(made->graph, catalog, setting);
    if (!changed) made->problems += changed.error().message + "\n";
    if (changed) made->graph = *changed;
  }
  CheckOptions options;
  options.base = "/pipelines";
  options.noRandom = setup.noRandom;
  CheckResult checked = checkGraph(made->graph, catalog, options);
  for (const Problem& problem : checked.problems.all()) made->problems += problem.text() + "\n";
  made->pipeline = std::move(checked.pipeline);
  made->subject.graph = &made->graph;
  made->subject.catalog = &catalog;
  made->subject.pipeline = made->pipeline ? &*made->pipeline : nullptr;
  made->subject.name = setup.name;
  made->subject.version = "0.0";
  return made;
}

/// A chain of nodes given as JSON, between a source and a consumer that fit.
std::string chainJson(const std::vector<std::string>& nodes) {
  std::string json = R"({"format_version": 1, "seed": 7, "nodes": [)";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::string node = nodes[i];
    node.replace(0, 1, "{\"id\": \"n" + std::to_string(i) + "\", ");
    json += (i > 0 ? ", " : "") + node;
  }
  json += "], \"wires\": [";
  for (std::size_t i = 1; i < nodes.size(); ++i)
    json += (i > 1 ? ", " : "") + std::string("{\"from\": \"n") + std::to_string(i - 1) +
            "\", \"to\": \"n" + std::to_string(i) + "\"}";
  return json + "]}";
}

std::string contentOf(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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

/// A source of records, its keys said where only the data would show them, in front of a batch.
struct RecordSource {
  const char* name;
  const char* node;
  bool pictures = true;  ///< files, for decode
};
constexpr std::array<RecordSource, 10> kRecordSources = {{
    {"tfrecord",
     R"({"kind": "tfrecord", "params": {"paths": ["a-{00..03}.tfrecord"], "keys": ["image=image/encoded", "label=image/class/label", "board=d:u8:8x8x3"]}})"},
    {"webdataset",
     R"({"kind": "webdataset", "params": {"paths": ["a.tar"], "parts": ["image=jpg;png", "label=cls", "mask=seg.png"]}})"},
    {"webdataset-usual", R"({"kind": "webdataset", "params": {"paths": ["a.tar"]}})"},
    {"numpy",
     R"({"kind": "numpy", "params": {"paths": ["x.npy"], "labels": "y.npy", "content": "features"}})",
     false},
    {"hdf5",
     R"({"kind": "hdf5", "params": {"paths": ["a.h5"], "datasets": ["image=x/train", "label=y", "depth=z:target"]}})"},
    {"lmdb",
     R"({"kind": "lmdb", "params": {"paths": ["lq.lmdb"], "targets": "gt.lmdb", "content": "pictures", "database": "d"}})"},
    {"lmdb-array",
     R"({"kind": "lmdb", "params": {"paths": ["a.lmdb"], "value": "image:u8:32x32x3:image:hwc"}})",
     false},
    {"mds",
     R"({"kind": "mds", "params": {"paths": ["train"], "columns": ["image=img", "label=class"]}})"},
    {"recordio", R"({"kind": "recordio", "params": {"paths": ["train.rec"]}})"},
    {"recordio-bytes",
     R"({"kind": "recordio", "params": {"paths": ["train.rec"], "content": "bytes"}})", false},
}};

std::string recordPipeline(const RecordSource& source) {
  std::vector<std::string> nodes{source.node};
  if (source.pictures) {
    nodes.emplace_back(R"({"kind": "decode", "params": {"scaling": "full"}})");
    nodes.emplace_back(R"({"kind": "resize"})");
  } else if (std::string_view(source.node).find("features") != std::string_view::npos) {
    // Without the data nobody knows how many there are.
    nodes.emplace_back(R"({"kind": "select", "params": {"keep": ["label"]}})");
  }
  nodes.emplace_back(R"({"kind": "batch"})");
  nodes.emplace_back(R"({"kind": "drain"})");
  return chainJson(nodes);
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
    compareWithGolden(*findExporter(target.toStdString()), *exampleJson(setup.name), setup);
  }

  void kindsThatNoExampleHasAreWrittenAsTheirGoldenFiles() {
    for (const Exporter& exporter : exporters())
      for (const char* name : {"mixing", "masks"})
        for (const bool noRandom : {false, true}) {
          if (!exporter.isCode) continue;
          Setup setup;
          setup.name = name;
          setup.noRandom = noRandom;
          compareWithGolden(exporter, widePipeline(name), setup);
        }
  }

  void everySourceOfRecordsIsWrittenAsItsGoldenFiles() {
    for (const Exporter& exporter : exporters())
      for (const RecordSource& source : kRecordSources) {
        if (!exporter.translates || !exporter.isCode) continue;
        Setup setup;
        setup.name = source.name;
        compareWithGolden(exporter, recordPipeline(source), setup);
      }
  }

  void sourcesOfRecordsAreReadByEveryTarget() {
    for (const Exporter& exporter : exporters())
      for (const RecordSource& source : kRecordSources) {
        if (!exporter.translates || !exporter.isCode) continue;
        const auto subject = subjectOf(recordPipeline(source), {});
        QVERIFY2(subject->pipeline, subject->problems.c_str());
        const Result<Exported> exported = exporter.write(subject->subject);
        VERIFY_OK(exported);
        QVERIFY2(exported->missing.empty(), source.name);
      }
  }

  void whatOnlyTheDataWouldShowIsAskedFor() {
    for (const RecordSource& source : std::initializer_list<RecordSource>{
             {"tfrecord", R"({"kind": "tfrecord", "params": {"paths": ["a.tfrecord"]}})"},
             {"mds", R"({"kind": "mds", "params": {"paths": ["train"]}})"},
             {"lmdb", R"({"kind": "lmdb", "params": {"paths": ["a.lmdb"]}})"},
             {"hdf5", R"({"kind": "hdf5", "params": {"paths": ["a.h5"], "content": "features"}})",
              false}}) {
      const auto subject = subjectOf(recordPipeline(source), {});
      QVERIFY2(subject->pipeline, subject->problems.c_str());
      const Result<Exported> exported = findExporter("pytorch")->write(subject->subject);
      VERIFY_OK(exported);
      QCOMPARE(exported->missing.size(), std::size_t{1});
      QVERIFY(contains(exported->missing.front(), "does not look into the data"));
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
  static void compareWithGolden(const Exporter& exporter, const std::string& json,
                                const Setup& setup) {
    const auto subject = subjectOf(json, setup);
    QVERIFY2(subject->pipeline, subject->problems.c_str());
    const Result<Exported> exported = exporter.write(subject->subject);
    VERIFY_OK(exported);
    const fs::path file = kGolden / exporter.name /
                          (setup.name + (setup.noRandom ? ".no-random" : "") + exporter.extension);
    if (std::getenv("MILLRACE_REGENERATE") != nullptr) {
      fs::create_directories(file.parent_path());
      std::ofstream(file, std::ios::binary) << exported->text;
    }
    QVERIFY2(contentOf(file) == exported->text,
             (file.string() + " is stale; look at it, then set MILLRACE_REGENERATE=1 and run this "
                              "test again")
                 .c_str());
  }

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
