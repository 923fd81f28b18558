// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes::repeat {

namespace {

struct Params {
  std::int64_t count = 2;
};

/// The largest number of samples per epoch for which an order is kept in memory: 8 bytes each.
constexpr std::int64_t kMostSamples = std::int64_t{1} << 31U;

/// Repeats the whole order. Copies are numbered on from the input's, so that no two copies of a
/// sample have the same draws.
class Repeat final : public IndexTransform {
 public:
  explicit Repeat(const Params& params) : m_count(static_cast<std::size_t>(params.count)) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext&) const override {
    std::uint32_t copies = 0;
    for (const SampleIndex& entry : order) copies = std::max(copies, entry.copy + 1);
    const std::size_t size = order.size();
    order.reserve(size * m_count);
    for (std::size_t time = 1; time < m_count; ++time)
      for (std::size_t i = 0; i < size; ++i)
        order.push_back(
            {order[i].index, order[i].copy + static_cast<std::uint32_t>(time) * copies});
  }

 private:
  const std::size_t m_count;
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!in.samples) return out;
  if (*in.samples > kMostSamples / params.count)
    context.error("count",
                  fmt::format("{} times {} samples is more than the limit of {} per epoch",
                              params.count, *in.samples, kMostSamples),
                  "decrease it; a run has many epochs anyway");
  else
    out.samples = *in.samples * params.count;
  return out;
}

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  return text.step(fmt::format("order * {}", p.count));
}

ExportText tfdata(const Params& p, const ExportContext&) {
  ExportText text;
  return text.needs("repeated").step(fmt::format("repeated(ds, {}, len(source))", p.count));
}

ExportText dali(const Params& p, const ExportContext&) {
  ExportText text;
  return text.needs("repeated").step(fmt::format("repeated(order, {}, len(source))", p.count));
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("repeat", Category::Order, NodeRole::Order);
  d.label("Repeat").help(
      "Repeats every sample several times per epoch. Random nodes draw separately for each copy.");
  d.example(R"({"count": 4})");
  d.tags({"copies", "epoch", "augmentation"});
  d.integer("count", &Params::count)
      .label("Count")
      .range(1, 1000)
      .unit("times")
      .help("How often each sample occurs in an epoch.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Repeat>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", [](const Params& p, const ExportContext&) {
    ExportText text;
    return text.step(fmt::format("ds.repeat({})", p.count));
  });
  return d.take();
}

}  // namespace millrace::nodes::repeat
