// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes::take {

namespace {

struct Params {
  std::int64_t count = 1000;
  std::int64_t skip = 0;
};

class TakeStream final : public IndexStream {
 public:
  TakeStream(std::size_t skip, std::size_t count) : m_skip(skip), m_left(count) {}

  void next(std::span<const SampleIndex> in, bool, std::vector<SampleIndex>& out) override {
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

class Take final : public IndexTransform {
 public:
  explicit Take(const Params& params) : m_params(params) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext&) const override {
    const auto size = static_cast<std::int64_t>(order.size());
    const std::int64_t from = std::min(size, m_params.skip);
    const std::int64_t to = std::min(size, from + m_params.count);
    order.erase(order.begin() + to, order.end());
    order.erase(order.begin(), order.begin() + from);
  }

  bool varies() const override { return true; }
  std::unique_ptr<IndexStream> stream(const OrderContext&) const override {
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
    context.error("skip", fmt::format("this skips all {} samples", *in.samples),
                  fmt::format("set it to less than {}", *in.samples));
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

NodeSpec describe() {
  Describe<Params> d("take", Category::Order, NodeRole::Order);
  d.label("Take").help(
      "Keeps the first samples of each epoch. After a shuffle they differ from epoch to epoch; "
      "before it they are always the same.");
  d.example(R"({"count": 1000})");
  d.tags({"limit", "subset", "first", "skip"});
  d.integer("count", &Params::count)
      .label("Count")
      .range(1, 4294967295.0)
      .unit("samples")
      .help("Number of samples to keep.");
  d.integer("skip", &Params::skip)
      .label("Skip")
      .range(0, 4294967295.0)
      .unit("samples")
      .help("Number of samples to skip before them.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Take>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", [](const Params& p, const ExportContext&) {
    ExportText text;
    return text.step(fmt::format("ds[{}:{}]", p.skip, p.skip + p.count));
  });
  return d.take();
}

}  // namespace millrace::nodes::take
