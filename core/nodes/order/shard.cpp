// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes::shard {

namespace {

enum class Uneven : std::uint8_t { Pad, Drop, Allow };

struct Params {
  std::int64_t rank = 0;
  std::int64_t world = 1;
  Uneven uneven = Uneven::Pad;
};

/// The number of this rank's samples out of `count`.
std::int64_t shareOf(const Params& p, std::int64_t count) {
  switch (p.uneven) {
    case Uneven::Pad: return (count + p.world - 1) / p.world;
    case Uneven::Drop: return count / p.world;
    case Uneven::Allow: break;
  }
  return std::max<std::int64_t>(0, (count - p.rank + p.world - 1) / p.world);
}

/// Every world-th sample starting at the rank-th, like torch's DistributedSampler; padding repeats
/// samples from the start.
class Shard final : public IndexTransform {
 public:
  explicit Shard(const Params& params) : m_params(params) {}

  void apply(std::vector<SampleIndex>& order, const OrderContext&) const override {
    if (order.empty()) return;
    const auto share =
        static_cast<std::size_t>(shareOf(m_params, static_cast<std::int64_t>(order.size())));
    const auto rank = static_cast<std::size_t>(m_params.rank);
    const auto world = static_cast<std::size_t>(m_params.world);
    std::vector<SampleIndex> mine(share);
    for (std::size_t i = 0; i < share; ++i) mine[i] = order[(rank + i * world) % order.size()];
    order = std::move(mine);
  }
  bool varies() const override { return m_params.world > 1; }
  std::size_t processes() const override { return static_cast<std::size_t>(m_params.world); }

 private:
  const Params m_params;
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  if (params.rank >= params.world) {
    context.error("rank",
                  fmt::format("rank {} does not exist in a world of {}", params.rank, params.world),
                  fmt::format("ranks are numbered from 0 to {}", params.world - 1));
    return out;
  }
  if (out.samples) out.samples = shareOf(params, *out.samples);
  return out;
}

ExportText pytorch(const Params& p, const ExportContext&) {
  constexpr const char* kUneven[] = {"pad", "drop", "allow"};
  const char* uneven = kUneven[static_cast<std::size_t>(p.uneven)];
  ExportText text;
  return text.needs("shard")
      .import("import os")
      .option("RANK", fmt::format("int(os.environ.get(\"RANK\", {}))", p.rank),
              "torchrun sets both")
      .option("WORLD_SIZE", fmt::format("int(os.environ.get(\"WORLD_SIZE\", {}))", p.world))
      .step(p.uneven == Uneven::Pad
                ? std::string("shard(order, rank, world_size)")
                : fmt::format("shard(order, rank, world_size, uneven=\"{}\")", uneven));
}

ExportText arrays(const Params& p, const char* padded, const char* dropped, const char* plain) {
  ExportText text;
  text.option("RANK", std::to_string(p.rank), "this process among those that share the data")
      .option("WORLD_SIZE", std::to_string(p.world));
  if (p.uneven == Uneven::Allow) return text.step(plain);
  text.needs("shard");
  return text.step(p.uneven == Uneven::Pad ? padded : dropped);
}

ExportText tfdata(const Params& p, const ExportContext&) {
  return arrays(p, "padded_shard(ds, RANK, WORLD_SIZE)", "even_shard(ds, RANK, WORLD_SIZE)",
                "ds.shard(WORLD_SIZE, RANK)");
}

ExportText dali(const Params& p, const ExportContext&) {
  return arrays(p, "padded_shard(order, RANK, WORLD_SIZE)", "even_shard(order, RANK, WORLD_SIZE)",
                "order[RANK::WORLD_SIZE]");
}

ExportText grain(const Params& p, const ExportContext&) {
  return arrays(p, "padded_shard(ds, RANK, WORLD_SIZE)", "even_shard(ds, RANK, WORLD_SIZE)",
                "ds[RANK::WORLD_SIZE]");
}

/// The package `webdataset` divides the shards among the ranks of torchrun, with or without this.
ExportText webdataset(const Params&, const ExportContext&) {
  ExportText text;
  return text.limit("Ranks share whole shards, so that they may get different numbers of samples.");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("shard", Category::Order, NodeRole::Order);
  d.label("Shard").help(
      "Selects this rank's part of the order if several processes share a data set. Put it after "
      "the shuffle, which is the same on all ranks. `millrace run --ranks N` starts N processes "
      "and sets `rank` and `world` for each one.");
  d.example(R"({"rank": 0, "world": 4})");
  d.tags({"distributed", "rank", "world", "ddp", "mpi"});
  d.integer("rank", &Params::rank)
      .label("Rank")
      .range(0, 1 << 20)
      .help("Number of this part, from 0.");
  d.integer("world", &Params::world).label("World").range(1, 1 << 20).help("Number of parts.");
  d.choice<Uneven>(
       "uneven", &Params::uneven,
       {{Uneven::Pad, "pad",
         "Shorter parts repeat samples from the start, so that all parts have the same size."},
        {Uneven::Drop, "drop",
         "Surplus samples are left out, so that all parts have the same size."},
        {Uneven::Allow, "allow", "Parts may differ by one sample."}})
      .label("Uneven")
      .help("What happens if the number of samples is not divisible by the number of parts.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Shard>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", grain);
  d.exporter("webdataset.short", webdataset);
  return d.take();
}

}  // namespace millrace::nodes::shard
