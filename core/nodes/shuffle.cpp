// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/spec/describe.h"

namespace millrace::nodes {

namespace {

enum class Mode : std::uint8_t { Full, Window };

struct Params {
  Mode mode = Mode::Full;
  std::int64_t window = 10000;
};

std::size_t drawBelow(Draw& draw, std::size_t count) {
  return static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(count) - 1));
}

/// Fisher and Yates, as Durstenfeld gives it (CACM 7, 1964, algorithm 235).
void shuffleFully(std::vector<OrderEntry>& order, Draw& draw) {
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[drawBelow(draw, left)]);
}

/// As tf.data does it: a window is filled, one of it drawn and replaced by the next that comes.
class WindowStream final : public OrderStream {
 public:
  WindowStream(std::size_t size, const Draw& draw) : m_size(size), m_draw(draw) {}

  void next(std::span<const OrderEntry> in, bool last, std::vector<OrderEntry>& out) override {
    for (const OrderEntry& entry : in) {
      if (m_window.size() < m_size) {
        m_window.push_back(entry);
        continue;
      }
      OrderEntry& drawn = m_window[drawBelow(m_draw, m_window.size())];
      out.push_back(drawn);
      drawn = entry;
    }
    if (!last) return;
    while (!m_window.empty()) {
      OrderEntry& drawn = m_window[drawBelow(m_draw, m_window.size())];
      out.push_back(drawn);
      drawn = m_window.back();
      m_window.pop_back();
    }
  }

 private:
  const std::size_t m_size;
  Draw m_draw;
  std::vector<OrderEntry> m_window;
};

/// As they come.
class SameStream final : public OrderStream {
 public:
  void next(std::span<const OrderEntry> in, bool, std::vector<OrderEntry>& out) override {
    out.insert(out.end(), in.begin(), in.end());
  }
};

class Shuffle final : public OrderOp {
 public:
  explicit Shuffle(const Params& params) : m_params(params) {}

  void apply(std::vector<OrderEntry>& order, const OrderContext& context) const override {
    if (context.noRandom) return;
    Draw draw = context.draw();
    if (m_params.mode == Mode::Full) return shuffleFully(order, draw);
    std::vector<OrderEntry> shuffled;
    shuffled.reserve(order.size());
    window(draw).next(order, true, shuffled);
    order = std::move(shuffled);
  }

  std::unique_ptr<OrderStream> stream(const OrderContext& context) const override {
    if (context.noRandom) return std::make_unique<SameStream>();
    if (m_params.mode == Mode::Full) return nullptr;
    return std::make_unique<WindowStream>(window(context.draw()));
  }

 private:
  WindowStream window(const Draw& draw) const {
    return {static_cast<std::size_t>(m_params.window), draw};
  }

  const Params m_params;
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Full) return text.needs("shuffled").step("shuffled(order, generator)");
  return text.needs("shuffled_in_window")
      .step(fmt::format("shuffled_in_window(order, {}, generator)", p.window));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  return text.step(
      fmt::format("ds.shuffle({}, seed=epoch + SEED)",
                  p.mode == Mode::Full ? "ds.cardinality()" : std::to_string(p.window)));
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Full) return text.step("rng.permutation(order)");
  return text.needs("shuffled_in_window")
      .step(fmt::format("shuffled_in_window(order, {}, rng)", p.window));
}

}  // namespace

NodeSpec shuffle() {
  Describe<Params> d("shuffle", Category::Order, NodeRole::Order);
  d.label("Shuffle").help(
      "Another order at every epoch, drawn from the seed: the same on all ranks, for any number of "
      "workers and after a resume.");
  d.example(R"({"mode": "full"})");
  d.tags({"order", "permutation", "random", "buffer"});
  d.choice<Mode>(
       "mode", &Params::mode,
       {{Mode::Full, "full", "Every order is equally likely."},
        {Mode::Window, "window",
         "Draws from a window that moves over the data, as loaders of streams do; the first "
         "batch need not wait until a large file without an index is looked through."}})
      .label("Mode")
      .help("How far a sample may move.");
  d.integer("window", &Params::window)
      .usedWith("mode", {"window"})
      .label("Window")
      .range(1, 1 << 28)
      .unit("samples")
      .help("Samples to draw from.");
  d.infer(infer);
  d.order([](const Params& params, const BuildContext&) -> Result<std::shared_ptr<const OrderOp>> {
    return std::shared_ptr<const OrderOp>(std::make_shared<Shuffle>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  return d.take();
}

}  // namespace millrace::nodes
