// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

struct Params {
  std::int64_t count = 1000;
  std::int64_t skip = 0;
};

class TakeStream final : public OrderStream {
 public:
  TakeStream(std::size_t skip, std::size_t count) : m_skip(skip), m_left(count) {}

  void next(std::span<const OrderEntry> in, bool, std::vector<OrderEntry>& out) override {
    const std::size_t skipped = std::min(m_skip, in.size());
    m_skip -= skipped;
    const std::size_t taken = std::min(m_left, in.size() - skipped);
    m_left -= taken;
    const auto from = in.begin() + static_cast<std::ptrdiff_t>(skipped);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(taken));
  }
  bool done() const override { return m_left == 0; }

 private:
  std::size_t m_skip;
  std::size_t m_left;
};

class Take final : public OrderOp {
 public:
  explicit Take(const Params& params) : m_params(params) {}

  void apply(std::vector<OrderEntry>& order, const OrderContext&) const override {
    const auto size = static_cast<std::int64_t>(order.size());
    const std::int64_t from = std::min(size, m_params.skip);
    const std::int64_t to = std::min(size, from + m_params.count);
    order.erase(order.begin() + to, order.end());
    order.erase(order.begin(), order.begin() + from);
  }

  std::unique_ptr<OrderStream> stream(const OrderContext&) const override {
    return std::make_unique<TakeStream>(static_cast<std::size_t>(m_params.skip),
                                        static_cast<std::size_t>(m_params.count));
  }

 private:
  const Params m_params;
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (!in.samples) return out;
  if (params.skip >= *in.samples)
    context.error("skip", fmt::format("skips all of the {} samples", *in.samples),
                  fmt::format("set it below {}", *in.samples));
  out.samples = std::clamp<std::int64_t>(*in.samples - params.skip, 0, params.count);
  return out;
}

ExportText pytorch(const Params& p, const ExportContext&) {
  ExportText text;
  return text.step(fmt::format("order[{}:{}]", p.skip, p.skip + p.count));
}

ExportText tfdata(const Params& p, const ExportContext&) {
  ExportText text;
  const std::string skip = p.skip > 0 ? fmt::format(".skip({})", p.skip) : "";
  return text.step(fmt::format("ds{}.take({})", skip, p.count));
}

ExportText dali(const Params& p, const ExportContext&) {
  ExportText text;
  return text.step(fmt::format("order[{}:{}]", p.skip, p.skip + p.count));
}

}  // namespace

NodeSpec take() {
  Describe<Params> d("take", Category::Order, NodeRole::Order);
  d.label("Take").help(
      "Only so many samples of an epoch. Behind a shuffle they are others at every epoch, in front "
      "of it always the same.");
  d.example(R"({"count": 1000})");
  d.tags({"limit", "subset", "first", "skip"});
  d.integer("count", &Params::count)
      .label("Count")
      .range(1, 4294967295.0)
      .unit("samples")
      .help("Samples to take.");
  d.integer("skip", &Params::skip)
      .label("Skip")
      .range(0, 4294967295.0)
      .unit("samples")
      .help("Samples to leave out in front of them.");
  d.infer(infer);
  d.order([](const Params& params, const BuildContext&) -> Result<std::shared_ptr<const OrderOp>> {
    return std::shared_ptr<const OrderOp>(std::make_shared<Take>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes
