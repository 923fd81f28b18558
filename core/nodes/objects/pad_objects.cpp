// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/data/object_fields.h"
#include "core/node_parts/object_text.h"
#include "core/spec/describe.h"
#include "core/spec/python_literal.h"

namespace millrace::nodes::pad_objects {

namespace {

struct Params {
  std::int64_t count = 100;
};

class PadObjects final : public SampleOp {
 public:
  PadObjects(const Params& params, const StreamType& in)
      : m_count(static_cast<std::size_t>(params.count)), m_objects(perObjectFields(in.fields)) {
    for (const std::size_t field : m_objects)
      m_isLabel.push_back(in.fields[field].role == Role::Label);
  }

  std::vector<std::size_t> replaces() const override { return m_objects; }
  std::vector<std::string> counterNames() const override { return {"objects beyond the count"}; }

  Status process(Sample& sample, const OpContext& context) override {
    if (m_objects.empty()) return {};
    const auto rows = static_cast<std::size_t>(sample[m_objects.front()].shape[0]);
    if (rows > m_count) context.count(0, rows - m_count);
    for (std::size_t i = 0; i < m_objects.size(); ++i)
      pad(sample, m_objects[i], m_isLabel[i] ? 0xff : 0);
    return {};
  }

 private:
  /// `fill`: of every byte of the new rows; 0xff in all bytes of an integer is -1.
  void pad(Sample& sample, std::size_t field, int fill) const {
    const TensorView from = sample[field];
    Shape shape = from.shape;
    shape[0] = static_cast<std::int64_t>(m_count);
    const TensorView to = sample.replace(field, from.dtype, shape, from.layout);
    const std::size_t kept = std::min(from.bytes, to.bytes);
    if (kept > 0) std::memcpy(to.data, from.data, kept);
    std::memset(to.data + kept, fill, to.bytes - kept);
  }

  const std::size_t m_count;
  const std::vector<std::size_t> m_objects;
  std::vector<bool> m_isLabel;  ///< by place in m_objects
};

StreamType infer(const Params& p, const StreamType& in, InferContext& context) {
  StreamType out = in;
  const std::vector<std::size_t> objects = perObjectFields(in.fields);
  if (objects.empty())
    context.error("", "there are no boxes or keypoints here", "connect it after a source of boxes");
  for (const std::size_t field : objects) out.fields[field].shape[0] = p.count;
  return out;
}

ExportText shortTorch(const Params& p, const ExportContext& context) {
  std::vector<std::string> fills;
  for (const std::size_t i : perObjectFields(context.in.fields)) {
    const FieldSpec& field = context.in.fields[i];
    fills.push_back(
        fmt::format("{}: {}", pythonText(field.name), field.role == Role::Label ? -1 : 0));
  }
  ExportText text;
  return text.needs("pad_objects")
      .step(fmt::format("pad_objects(sample, {}, {{{}}})", p.count, fmt::join(fills, ", ")));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("pad_objects", Category::Tensor, NodeRole::Sample);
  d.label("Pad objects")
      .help(
          "Gives every picture the same number of objects, so that boxes, labels and keypoints of "
          "a "
          "batch are one array each. Added rows are 0, and -1 for labels. Of a picture with more "
          "objects the first ones stay; how many are dropped is counted.");
  d.example(R"({"count": 100})");
  d.cpuOnly();
  d.tags({"detection", "boxes", "fixed size", "max_boxes"});
  d.integer("count", &Params::count)
      .label("Objects")
      .help("Number of objects of every picture.")
      .range(1, 100000)
      .unit("objects");
  d.infer(infer);
  d.sample([](const Params& p, const BuildContext& context) -> Result<std::unique_ptr<SampleOp>> {
    return std::unique_ptr<SampleOp>(std::make_unique<PadObjects>(p, context.in));
  });
  objectsNotTranslated(d);
  d.exporter("pytorch.short", shortTorch);
  return d.take();
}

}  // namespace millrace::nodes::pad_objects
