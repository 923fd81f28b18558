// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "core/spec/describe.h"
#include "core/spec/source.h"

namespace millrace::nodes::path_number {

namespace {

struct Params {
  std::string name = "path";
};

/// Adds a field after the others.
class PathNumber final : public SampleOp {
 public:
  PathNumber(std::size_t field, std::shared_ptr<const Source> source)
      : m_field(field), m_source(std::move(source)) {}

  Status process(Sample& sample, const OpContext&) override {
    const std::int64_t path = m_source->pathOf(sample.key().index);
    const TensorView to = sample.replace(m_field, DType::I64, {}, Layout::Plain);
    std::memcpy(to.data, &path, sizeof path);
    return {};
  }
  std::vector<std::size_t> replaces() const override { return {m_field}; }

 private:
  const std::size_t m_field;
  const std::shared_ptr<const Source> m_source;
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (params.name.empty())
    context.error("name", "the new field has no name", "name it, for example path");
  if (in.field(params.name) != nullptr)
    context.error("name", fmt::format("there is a field `{}` already", params.name),
                  "choose another name");
  FieldSpec path;
  path.name = params.name;
  path.dtype = DType::I64;
  out.fields.push_back(std::move(path));
  return out;
}

ExportText exported(const Params&, const ExportContext&) {
  ExportText text;
  text.missing =
      "The exported code does not know from which path a sample is: export the pipeline as Python "
      "over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("path_number", Category::Tensor, NodeRole::Sample);
  d.label("Number of the path")
      .help(
          "Adds a field with the number of the source's path that a sample comes from, counted "
          "from 0, for losses and statistics of each data set in a mixture.");
  d.example(R"({"name": "data_set"})");
  d.cpuOnly();
  d.tags({"mix", "source", "domain", "data_set", "origin"});
  d.text("name", &Params::name).label("Name").help("Name of the new field.");
  d.infer(infer);
  d.sample([](const Params&, const BuildContext& context) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(
        std::make_unique<PathNumber>(context.in.fields.size(), context.source));
  });
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) d.exporter(target, exported);
  return d.take();
}

}  // namespace millrace::nodes::path_number
