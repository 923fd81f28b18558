// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Properties of every node kind; a new kind is covered without changes here.
#include <algorithm>
#include <set>

#include "core/graph/json/graph_json.h"
#include "core/graph/rules/node_check.h"
#include "core/nodes/builtin.h"
#include "core/spec/catalog_text.h"
#include "tests/catalog/streams.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

bool isSnakeCase(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), fits);
}

std::string nodeText(const NodeSpec& spec, const std::string& params) {
  return R"({"format_version": 1, "nodes": [{"kind": ")" + spec.kind + R"(", "params": )" + params +
         "}]}";
}

/// The hooks of a kind in the order of NodeRole.
std::vector<bool> hooksOf(const NodeSpec& spec) {
  return {spec.source != nullptr,   spec.order != nullptr,
          spec.image != nullptr,    spec.sample != nullptr,
          spec.cache != nullptr,    spec.workers != nullptr,
          spec.batch != nullptr,    spec.prefetch != nullptr,
          spec.transfer != nullptr, spec.batchOp != nullptr || spec.batchMap != nullptr,
          spec.consumer != nullptr, spec.choice != nullptr};
}

void everyKind() {
  QTest::addColumn<QString>("kind");
  for (const std::string& kind : builtinCatalog().kinds())
    QTest::newRow(kind.c_str()) << QString::fromStdString(kind);
}

}  // namespace

class TestEveryKind : public QObject {
  Q_OBJECT
 private slots:
  void kindsAreSnakeCaseAndThereOnce() {
    std::set<std::string> seen;
    for (const std::string& kind : builtinCatalog().kinds()) {
      QVERIFY2(isSnakeCase(kind), kind.c_str());
      QVERIFY2(seen.insert(kind).second, kind.c_str());
    }
    QVERIFY(!seen.empty());
  }

  void isDescribedInFull_data() { everyKind(); }
  void isDescribedInFull() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    QVERIFY(!spec.label.empty());
    QVERIFY(spec.help.size() > 20 && spec.help.back() == '.');
    QVERIFY(!spec.example.empty());
    QVERIFY(spec.example.find('\n') == std::string::npos);
    std::set<std::string> seen;
    for (const ParamSpec& param : spec.params) {
      QVERIFY2(isSnakeCase(param.name) && seen.insert(param.name).second, param.name.c_str());
      QVERIFY2(!param.label.empty() && !param.help.empty(), param.name.c_str());
      QVERIFY2(param.choices.size() == param.choiceHelps.size(), param.name.c_str());
      for (const std::string& help : param.choiceHelps) QVERIFY2(!help.empty(), param.name.c_str());
      QVERIFY2((param.type == ParamType::Choice) == !param.choices.empty(), param.name.c_str());
    }
  }

  void pictureWorkHasASideOnTheDeviceOrIsForTheCpu_data() { everyKind(); }
  void pictureWorkHasASideOnTheDeviceOrIsForTheCpu() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    const bool ofPictures = spec.category == Category::Geometry ||
                            spec.category == Category::Colour || spec.category == Category::Tensor;
    if (spec.cpuOnly || ofPictures) QCOMPARE(spec.deviceOp == nullptr, spec.cpuOnly);
  }

  void whatGivesAParameterItsMeaningIsThere_data() { everyKind(); }
  void whatGivesAParameterItsMeaningIsThere() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    for (const ParamSpec& param : spec.params) {
      if (!param.usedWith) continue;
      const ParamSpec* other = spec.param(param.usedWith->param);
      QVERIFY2(other != nullptr && other != &param, param.name.c_str());
      QCOMPARE(other->type == ParamType::Choice, !param.usedWith->choices.empty());
      for (const std::string& choice : param.usedWith->choices)
        QVERIFY2(!other->problemWith(Value{choice}), choice.c_str());
    }
  }

  void defaultsAreAllowed_data() { everyKind(); }
  void defaultsAreAllowed() {
    QFETCH(QString, kind);
    for (const ParamSpec& param : builtinCatalog().find(kind.toStdString())->params) {
      VERIFY_OK(convertValue(param.type, param.defaultValue));
      const auto wrong = param.problemWith(param.defaultValue);
      QVERIFY2(!wrong, wrong ? (param.name + ": " + *wrong).c_str() : "");
    }
  }

  void theExampleReadsAndPasses_data() { everyKind(); }
  void theExampleReadsAndPasses() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    const ReadGraph read = parseGraph(nodeText(spec, spec.example), builtinCatalog());
    QVERIFY2(read.graph, read.problems.all().empty() ? "" : read.problems.all()[0].text().c_str());
    Problems problems;
    completeValues(read.graph->nodes[0], 0, spec, problems);
    QVERIFY2(problems.all().empty(),
             problems.all().empty() ? "" : problems.all()[0].text().c_str());
  }

  void hasTheHookOfItsRoleAndNoOther_data() { everyKind(); }
  void hasTheHookOfItsRoleAndNoOther() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    const std::vector<bool> hooks = hooksOf(spec);
    QVERIFY(hooks[static_cast<std::size_t>(spec.role)]);
    QCOMPARE(std::count(hooks.begin(), hooks.end(), true), 1);
    const bool changesPictures =
        (spec.category == Category::Geometry || spec.category == Category::Colour) &&
        spec.role == NodeRole::Sample && spec.param("fields") != nullptr;
    QCOMPARE(spec.acts != nullptr, spec.role == NodeRole::Image || changesPictures);
  }

  /// Extreme values on streams of every form: nothing crashes, and what does not fit is reported
  /// with an existing parameter and a remedy.
  void infersOnAnyStream_data() { everyKind(); }
  void infersOnAnyStream() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    for (const Values& values : tests::manyValues(spec))
      for (const StreamType& stream : tests::manyStreams()) {
        Problems problems;
        InferContext context("node", problems);
        const StreamType out = spec.infer(values, stream, context);
        for (const Problem& problem : problems.all()) {
          QCOMPARE(problem.node, std::string("node"));
          QVERIFY2(!problem.message.empty() && !problem.remedy.empty(), problem.text().c_str());
          QVERIFY2(problem.field.empty() || spec.param(problem.field), problem.text().c_str());
        }
        std::set<std::string> names;
        for (const FieldSpec& field : out.fields) QVERIFY(names.insert(field.name).second);
        if (spec.acts)
          for (const std::size_t i : spec.acts(values, stream)) QVERIFY(i < stream.fields.size());
      }
  }

  void sourcesOfSeveralPathsInferTheirNumber() {
    int sources = 0;
    for (const NodeSpec& spec : builtinCatalog().all()) {
      const auto paths = std::ranges::find(spec.params, ParamType::PathList, &ParamSpec::type);
      if (spec.role != NodeRole::Source || paths == spec.params.end()) continue;
      Values values = spec.defaults();
      values[paths->name] = TextList{"a", "b", "c"};
      Problems problems;
      InferContext context(spec.kind, problems);
      QVERIFY2(spec.infer(values, {}, context).paths == 3, spec.kind.c_str());
      ++sources;
    }
    QVERIFY(sources > 5);
  }

  void pictureNodesReportAStreamWithoutPictures_data() { everyKind(); }
  void pictureNodesReportAStreamWithoutPictures() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    if (spec.category != Category::Decode && spec.category != Category::Geometry &&
        spec.category != Category::Colour)
      return;
    Problems problems;
    InferContext context("node", problems);
    spec.infer(spec.defaults(), StreamType{}, context);
    QVERIFY(problems.anyError());
  }

  void valuesComeBackFromJson_data() { everyKind(); }
  void valuesComeBackFromJson() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    for (const Values& values : tests::manyValues(spec)) {
      GraphNode node{"n", spec.kind, {}, NodeState::On, {}, {}};
      for (const auto& [name, value] : values) node.params[name] = value;
      Graph graph;
      graph.nodes = {node};
      const std::string text = graphText(graph, builtinCatalog());
      const ReadGraph read = parseGraph(text, builtinCatalog());
      QVERIFY(read.graph && read.graph->nodes == graph.nodes);
      QCOMPARE(graphText(*read.graph, builtinCatalog()), text);
    }
  }

  void helpFitsATerminal_data() { everyKind(); }
  void helpFitsATerminal() {
    QFETCH(QString, kind);
    const NodeSpec& spec = *builtinCatalog().find(kind.toStdString());
    const QStringList lines = QString::fromStdString(nodeHelpText(spec)).split('\n');
    for (const QString& line : lines)
      QVERIFY2(line.size() <= 80 || line.startsWith("  {"), qPrintable(line));
    for (const ParamSpec& param : spec.params)
      QVERIFY(lines.filter(QString::fromStdString("  " + param.name + " (")).size() == 1);
  }
};

}  // namespace millrace

using millrace::TestEveryKind;
MILLRACE_TEST_CASE(TestEveryKind)
#include "tst_every_kind.moc"
