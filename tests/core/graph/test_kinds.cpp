// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/graph/test_kinds.h"

#include <filesystem>

#include "core/base/text/text.h"
#include "core/spec/describe.h"

namespace millrace::tests {

namespace {

struct None {};

struct ListParams {
  TextList paths;
  std::string extra;
  std::int64_t count = 10;
};

std::vector<FieldSpec> listFields() {
  FieldSpec image{"image", DType::U8, {8, 8, 3}, Layout::Hwc, Role::Image};
  FieldSpec label{"label", DType::I64, {}, Layout::Plain, Role::Label};
  return {image, label};
}

class ListSource final : public Source {
 public:
  explicit ListSource(std::uint32_t count) : m_count(count) {}
  std::uint32_t size() const override { return m_count; }
  std::vector<FieldSpec> fields() const override {
    std::vector<FieldSpec> fields = listFields();
    fields[1].classes = 3;
    return fields;
  }
  std::string name(std::uint32_t index) const override { return std::to_string(index); }
  std::vector<std::string> classes() const override { return {"a", "b", "c"}; }
  std::vector<std::string> warnings() const override { return {"one class is small"}; }
  std::unique_ptr<SourceReader> reader() const override { return nullptr; }

 private:
  std::uint32_t m_count;
};

NodeSpec listKind() {
  Describe<ListParams> d("list", Category::Source, NodeRole::Source);
  d.label("List").help("Samples for tests.").example(R"({"paths": ["x"]})");
  d.paths("paths", &ListParams::paths).data().help("Where they lie.");
  d.path("extra", &ListParams::extra).data().optional().help("More.");
  d.integer("count", &ListParams::count).atLeast(0).atMost(1000).unit("samples").help("How many.");
  d.infer([](const ListParams&, const StreamType&, InferContext&) {
    StreamType out;
    out.fields = listFields();
    return out;
  });
  d.source([](const ListParams& p, const BuildContext&) -> Result<std::shared_ptr<const Source>> {
    if (p.count == 13) return Error{"13 samples are not possible"};
    return std::shared_ptr<const Source>(
        std::make_shared<ListSource>(static_cast<std::uint32_t>(p.count)));
  });
  return d.take();
}

StreamType same(const None&, const StreamType& in, InferContext&) { return in; }

template <class Params = None>
Describe<Params> describe(const char* kind, Category category, NodeRole role) {
  Describe<Params> d(kind, category, role);
  d.label(kind).help("For tests.").example("{}");
  return d;
}

NodeSpec mixUpKind() {
  auto d = describe("mix_up", Category::Order, NodeRole::Order);
  d.infer(same);
  return d.take();
}

NodeSpec brightenKind() {
  auto d = describe("brighten", Category::Colour, NodeRole::Sample);
  d.infer([](const None&, const StreamType& in, InferContext& context) {
    StreamType out = in;
    out.randomFrom = context.node();
    return out;
  });
  return d.take();
}

enum class Filter { Near, Smooth };

struct ScaleParams {
  std::int64_t size = 4;
  double factor = 1;
  bool exact = false;
  Filter filter = Filter::Smooth;
  std::string note;
  RealList weights = {0.5, 1};
  TextList fields;
};

Result<std::unique_ptr<SampleOp>> makeScale(const ScaleParams& p, const BuildContext& context) {
  if (p.note == "refuse") return Error{"refused with " + join(context.classes, "")};
  return std::unique_ptr<SampleOp>();
}

NodeSpec scaleKind() {
  auto d = describe<ScaleParams>("scale", Category::Geometry, NodeRole::Sample);
  d.integer("size", &ScaleParams::size).range(1, 64).unit("pixels").help("Edge.");
  d.real("factor", &ScaleParams::factor).range(0, 2).help("Times.");
  d.boolean("exact", &ScaleParams::exact).help("Or not.");
  d.choice<Filter>("filter", &ScaleParams::filter,
                   {{Filter::Near, "near", "Nearest."}, {Filter::Smooth, "smooth", "Linear."}});
  d.text("note", &ScaleParams::note).optional().help("Anything.");
  d.reals("weights", &ScaleParams::weights).atLeast(0).help("Of channels.");
  d.fields(&ScaleParams::fields);
  d.infer([](const ScaleParams& p, const StreamType& in, InferContext& context) {
    checkFields(in, p.fields, {Role::Image}, context);
    StreamType out = in;
    for (const std::size_t i : actedFields(in, p.fields, {Role::Image}))
      out.fields[i].shape = pictureShape(p.size, p.size, 3, Layout::Hwc);
    return out;
  });
  d.sample(makeScale);
  return d.take();
}

NodeSpec keepKind() {
  auto d = describe("keep", Category::Cache, NodeRole::Cache);
  d.infer(same);
  return d.take();
}

NodeSpec teamKind() {
  auto d = describe<WorkersSettings>("team", Category::Runtime, NodeRole::Workers);
  d.integer("count", &WorkersSettings::count).range(1, 256).unit("threads").help("How many.");
  d.infer([](const WorkersSettings&, const StreamType& in, InferContext&) { return in; });
  d.workers([](const WorkersSettings& p) { return p; });
  return d.take();
}

NodeSpec packKind() {
  auto d = describe<BatchSettings>("pack", Category::Runtime, NodeRole::Batch);
  d.integer("size", &BatchSettings::size).range(1, 4096).unit("samples").help("Rows.");
  d.infer([](const BatchSettings& p, const StreamType& in, InferContext&) {
    StreamType out = in;
    out.level = Level::Batch;
    out.batchSize = p.size;
    return out;
  });
  d.batch([](const BatchSettings& p) { return p; });
  return d.take();
}

NodeSpec queueKind() {
  auto d = describe("queue", Category::Runtime, NodeRole::Prefetch);
  d.infer(same);
  d.prefetch([](const None&) { return PrefetchSettings{}; });
  return d.take();
}

NodeSpec blendKind() {
  auto d = describe("blend", Category::Tensor, NodeRole::BatchOp);
  d.infer(same);
  return d.take();
}

NodeSpec sinkKind() {
  auto d = describe("sink", Category::Consumer, NodeRole::Consumer);
  d.infer(same);
  return d.take();
}

}  // namespace

const Catalog& testCatalog() {
  static const Catalog catalog = [] {
    Catalog all;
    for (NodeSpec (*make)() : {listKind, mixUpKind, brightenKind, scaleKind, keepKind, teamKind,
                               packKind, queueKind, blendKind, sinkKind})
      all.add(make());
    return all;
  }();
  return catalog;
}

Graph chainOf(const std::string& kinds) {
  Graph graph;
  for (const std::string& kind : split(kinds, ' ')) {
    GraphNode node;
    node.id = freeId(graph, kind);
    node.kind = kind;
    if (kind == "list") node.params["paths"] = Value{TextList{"."}};
    if (!graph.nodes.empty()) graph.wires.push_back({graph.nodes.back().id, node.id, {}});
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

std::string textOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems.all()) text += problem.text() + "\n";
  return text;
}

bool hasProblem(const Problems& problems, Severity severity, const std::string& place,
                const std::string& part) {
  for (const Problem& problem : problems.all()) {
    const bool dotted = !problem.node.empty() && !problem.field.empty();
    const std::string at = problem.node + (dotted ? "." : "") + problem.field;
    const bool says = (problem.message + "; " + problem.remedy).find(part) != std::string::npos;
    if (problem.severity == severity && at == place && says) return true;
  }
  return false;
}

}  // namespace millrace::tests
