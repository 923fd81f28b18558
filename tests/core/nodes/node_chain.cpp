// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/nodes/node_chain.h"

#include <cstring>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/nodes/builtin.h"
#include "core/pass/image_pass.h"
#include "core/run/op_by_view.h"

namespace millrace::tests {

NodeChain::NodeChain(std::vector<FieldSpec> fields) { m_stream.fields = std::move(fields); }

NodeChain& NodeChain::add(const std::string& kind, const Values& values) {
  const NodeSpec* spec = builtinCatalog().find(kind);
  MILLRACE_CHECK(spec != nullptr, kind);
  Node node{spec, spec->defaults(), {}, 0};
  for (const auto& [name, value] : values) {
    MILLRACE_CHECK(node.values.count(name) == 1, kind + "." + name);
    MILLRACE_CHECK(node.values.at(name).index() == value.index(), kind + "." + name);
    node.values[name] = value;
  }
  node.context.node = kind + "_" + std::to_string(m_nodes.size());
  node.drawKey = static_cast<std::uint32_t>(fnv1a(node.context.node));
  InferContext context(node.context.node, m_problems);
  node.context.in = m_stream;
  m_stream = spec->infer(node.values, m_stream, context);
  node.context.out = m_stream;
  m_nodes.push_back(std::move(node));
  return *this;
}

std::string NodeChain::problemText() const {
  std::string text;
  for (const Problem& problem : m_problems.all()) text += problem.text() + "\n";
  return text;
}

std::vector<std::vector<std::size_t>> NodeChain::groups(Fuse fuse) const {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<ImagePassStep> steps;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Node& node = m_nodes[i];
    if (node.spec->role != NodeRole::Image) {
      groups.push_back({i});
      steps.clear();
      continue;
    }
    ImagePassStep step{node.spec->image(node.values, node.context).take(), node.drawKey,
                       node.spec->acts(node.values, node.context.in)};
    if (fuse == Fuse::Yes && !steps.empty() && joins(steps, step)) {
      groups.back().push_back(i);
    } else {
      groups.push_back({i});
      steps.clear();
    }
    steps.push_back(std::move(step));
  }
  return groups;
}

std::size_t NodeChain::operations(Fuse fuse) const { return groups(fuse).size(); }

Result<std::unique_ptr<SampleOp>> NodeChain::make(const std::vector<std::size_t>& group) const {
  const Node& first = m_nodes[group.front()];
  if (first.spec->role == NodeRole::Sample)
    return makeOpByView(*first.spec, first.values, first.context, [&](const Values& values, int) {
      return first.spec->sample(values, first.context);
    });
  ImagePassPlan plan;
  plan.in = first.context.in.fields;
  for (const std::size_t i : group) {
    const Node& node = m_nodes[i];
    plan.steps.push_back({node.spec->image(node.values, node.context).take(), node.drawKey,
                          node.spec->acts(node.values, node.context.in)});
  }
  return makeImagePass(std::move(plan));
}

Status NodeChain::run(Sample& sample, Fuse fuse) const {
  for (const std::vector<std::size_t>& group : groups(fuse)) {
    Result<std::unique_ptr<SampleOp>> op = make(group);
    if (!op) return op.error();
    MILLRACE_TRY((*op)->process(sample, {m_seed, m_nodes[group.front()].drawKey, m_noRandom}));
    // An operation keeps the memory of a value only until the next operation runs.
    for (std::size_t i = 0; i < sample.fields(); ++i)
      if (sample[i].dtype != DType::Encoded) {
        const std::vector<std::uint8_t> copy = bytesOf(sample[i]);
        const TensorView old = sample[i];
        const TensorView fresh = sample.replace(i, old.dtype, old.shape, old.layout);
        if (!copy.empty()) std::memcpy(fresh.data, copy.data(), copy.size());
      }
  }
  return {};
}

FieldSpec pictureField(const std::string& name, Role role, int channels, int height, int width) {
  FieldSpec field;
  field.name = name;
  field.role = role;
  field.layout = Layout::Hwc;
  field.shape = {height, width, channels};
  return field;
}

FieldSpec encodedField(const std::string& name, Role role) {
  FieldSpec field;
  field.name = name;
  field.role = role;
  field.dtype = DType::Encoded;
  field.shape = {Shape::kUnknown};
  return field;
}

void setPicture(Sample& sample, std::size_t i, const std::vector<std::uint8_t>& bytes, int height,
                int width, int channels) {
  auto* data = reinterpret_cast<std::byte*>(const_cast<std::uint8_t*>(bytes.data()));
  sample.borrow(i, {DType::U8, Layout::Hwc, {height, width, channels}, data, bytes.size()});
}

void setFile(Sample& sample, std::size_t i, const std::vector<std::byte>& bytes) {
  auto* data = const_cast<std::byte*>(bytes.data());
  sample.borrow(i, {DType::Encoded,
                    Layout::Plain,
                    {static_cast<std::int64_t>(bytes.size())},
                    data,
                    bytes.size()});
}

std::vector<std::uint8_t> bytesOf(const TensorView& view) {
  const auto* data = view.as<const std::uint8_t>();
  return {data, data + view.bytes};
}

std::vector<float> floatsOf(const TensorView& view) {
  const auto* data = view.as<const float>();
  return {data, data + view.bytes / sizeof(float)};
}

std::vector<std::uint8_t> coordinates(int height, int width, int channels) {
  std::vector<std::uint8_t> bytes;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        bytes.push_back(static_cast<std::uint8_t>(c == 0 ? x : c == 1 ? y : x + 3 * y + c));
  return bytes;
}

std::vector<std::uint8_t> noise(int height, int width, int channels, std::uint32_t seed) {
  Draw draw({seed, 0, 0, 0, 0});
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(height * width * channels));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(draw.bits());
  return bytes;
}

}  // namespace millrace::tests
