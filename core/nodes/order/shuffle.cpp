// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/node_parts/short_text.h"
#include "core/spec/describe.h"

namespace millrace::nodes::shuffle {

namespace {

enum class Mode : std::uint8_t { Full, Window, Interleave };

struct Params {
  Mode mode = Mode::Full;
  std::int64_t window = 10000;
  std::int64_t files = 8;
};

using Order = std::vector<SampleIndex>;

std::size_t drawBelow(Draw& draw, std::size_t count) {
  return static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(count) - 1));
}

/// Fisher-Yates shuffle in Durstenfeld's version (CACM 7, 1964, algorithm 235).
template <class T>
void shuffleFully(std::vector<T>& order, Draw& draw) {
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[drawBelow(draw, left)]);
}

/// Consecutive entries of one file.
struct FileRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The end of the entries in the file of entry `begin`, at most `end`. Indices increase up to
/// there, and a file's samples have consecutive indices, so that only a few entries need to be
/// checked.
std::size_t endOfFile(const Order& order, const Source& source, std::size_t begin,
                      std::size_t end) {
  const std::string file = source.file(order[begin].index);
  const auto same = [&](std::size_t at) { return source.file(order[at].index) == file; };
  std::size_t step = 1;
  while (begin + step < end && same(begin + step)) step *= 2;
  const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin + step / 2);
  const auto to = order.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step, end));
  const auto other = std::partition_point(
      from, to, [&](const SampleIndex& entry) { return source.file(entry.index) == file; });
  return static_cast<std::size_t>(other - order.begin());
}

std::vector<FileRun> fileRuns(const Order& order, const Source& source) {
  std::vector<FileRun> runs;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t rising = begin + 1;
    while (rising < order.size() && order[rising].index >= order[rising - 1].index) ++rising;
    while (begin < rising) {
      const std::size_t end = endOfFile(order, source, begin, rising);
      runs.push_back({begin, end});
      begin = end;
    }
  }
  return runs;
}

/// Takes one entry from each of the first `count` runs in turn; when one ends, the next run
/// replaces it.
Order byTurns(const Order& order, std::vector<FileRun>& runs, std::size_t count) {
  Order out;
  out.reserve(order.size());
  std::size_t following = std::min(count, runs.size());
  std::vector<FileRun> open(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(following));
  for (std::size_t turn = 0; !open.empty();) {
    FileRun& run = open[turn];
    out.push_back(order[run.begin++]);
    if (run.begin < run.end)
      ++turn;
    else if (following < runs.size())
      open[turn++] = runs[following++];
    else
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(turn));
    if (turn >= open.size()) turn = 0;
  }
  return out;
}

/// Like tf.data: fills a window, draws one entry of it, and replaces it by the next incoming one.
class WindowStream final : public IndexStream {
 public:
  WindowStream(std::size_t size, const Draw& draw) : m_size(size), m_draw(draw) {}

  void next(std::span<const SampleIndex> in, bool last, std::vector<SampleIndex>& out) override {
    for (const SampleIndex& entry : in) {
      if (m_window.size() < m_size) {
        m_window.push_back(entry);
        continue;
      }
      SampleIndex& drawn = m_window[drawBelow(m_draw, m_window.size())];
      out.push_back(drawn);
      drawn = entry;
    }
    if (!last) return;
    while (!m_window.empty()) {
      SampleIndex& drawn = m_window[drawBelow(m_draw, m_window.size())];
      out.push_back(drawn);
      drawn = m_window.back();
      m_window.pop_back();
    }
  }

 private:
  const std::size_t m_size;
  Draw m_draw;
  std::vector<SampleIndex> m_window;
};

/// Keeps the order.
class SameStream final : public IndexStream {
 public:
  void next(std::span<const SampleIndex> in, bool, std::vector<SampleIndex>& out) override {
    out.insert(out.end(), in.begin(), in.end());
  }
};

class Shuffle final : public IndexTransform {
 public:
  explicit Shuffle(const Params& params) : m_params(params) {}

  void apply(Order& order, const OrderContext& context) const override {
    if (context.noRandom) return;
    Draw draw = context.draw();
    if (m_params.mode == Mode::Full) return shuffleFully(order, draw);
    if (m_params.mode == Mode::Interleave) {
      std::vector<FileRun> runs = fileRuns(order, *context.source);
      shuffleFully(runs, draw);
      order = byTurns(order, runs, static_cast<std::size_t>(m_params.files));
    }
    Order shuffled;
    shuffled.reserve(order.size());
    window(draw).next(order, true, shuffled);
    order = std::move(shuffled);
  }

  std::unique_ptr<IndexStream> stream(const OrderContext& context) const override {
    if (context.noRandom) return std::make_unique<SameStream>();
    if (m_params.mode != Mode::Window) return nullptr;
    return std::make_unique<WindowStream>(window(context.draw()));
  }

 private:
  WindowStream window(const Draw& draw) const {
    return {static_cast<std::size_t>(m_params.window), draw};
  }

  const Params m_params;
};

StreamType infer(const Params&, const StreamType& in, InferContext&) { return in; }

constexpr const char* kNoTurns =
    "Files are not interleaved: the exported loader shuffles within its window, or fully.";

ExportText pytorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Full) return text.needs("shuffled").step("shuffled(order, generator)");
  // The order is a list, so that the whole of it costs no more than a window.
  if (p.mode == Mode::Interleave)
    return text.needs("shuffled").step("shuffled(order, generator)").limit(kNoTurns);
  return text.needs("shuffled_in_window")
      .step(fmt::format("shuffled_in_window(order, {}, generator)", p.window));
}

ExportText tfdata(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Interleave) text.limit(kNoTurns);
  return text.step(
      fmt::format("ds.shuffle({}, seed=epoch + SEED)",
                  p.mode == Mode::Full ? "ds.cardinality()" : std::to_string(p.window)));
}

ExportText dali(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Full) return text.step("rng.permutation(order)");
  if (p.mode == Mode::Interleave) return text.step("rng.permutation(order)").limit(kNoTurns);
  return text.needs("shuffled_in_window")
      .step(fmt::format("shuffled_in_window(order, {}, rng)", p.window));
}

constexpr const char* kNoWindow = "All samples are shuffled, not only those within a window.";

/// Grain reads samples in any order.
ExportText grain(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode != Mode::Full) text.limit(kNoWindow);
  return text.step("ds.shuffle()");
}

ExportText shortTf(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Interleave) return longForm("it shuffles several files in turns");
  if (p.mode == Mode::Window) return text.step(fmt::format("ds.shuffle({}, seed=SEED)", p.window));
  return text.step("ds.shuffle(len(ds), seed=SEED)");
}

/// For DALI, whose reader shuffles everything.
ExportText shortDali(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode != Mode::Full) return longForm("it shuffles within a window");
  return text.step("shuffle=True");
}

/// PyTorch's sampler shuffles everything too: all samples can be read in any order.
ExportText shortTorch(const Params& p, const ExportContext& context) {
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Interleave) return longForm("it shuffles several files in turns");
  if (p.mode == Mode::Window) text.limit(kNoWindow);
  return text.step("shuffle=True");
}

/// The package `webdataset` shuffles the shards, and samples within a buffer. Text: its size.
ExportText shortWeb(const Params& p, const ExportContext& context) {
  constexpr std::int64_t kUsual = 1000;
  ExportText text;
  if (context.noRandom) return text;
  if (p.mode == Mode::Interleave) return longForm("it shuffles several files in turns");
  const std::int64_t window = p.mode == Mode::Window ? p.window : kUsual;
  text.limit("Shards are shuffled, and samples only within a buffer of each worker.");
  return text.option("SHUFFLE_BUFFER", std::to_string(window), "samples, of each worker")
      .step("SHUFFLE_BUFFER");
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("shuffle", Category::Order, NodeRole::Order);
  d.label("Shuffle").help(
      "Shuffles the samples differently in each epoch. The order is drawn from the seed: it is the "
      "same on all ranks, for any number of workers, and after a resume.");
  d.example(R"({"mode": "full"})");
  d.tags({"order", "permutation", "random", "buffer", "interleave", "cycle", "shards"});
  d.choice<Mode>(
       "mode", &Params::mode,
       {{Mode::Full, "full", "All orders are equally likely."},
        {Mode::Window, "window",
         "Draws from a window that moves over the data, like streaming loaders. The first batch "
         "need not wait until a large file without an index has been scanned."},
        {Mode::Interleave, "interleave",
         "Takes the files in random order, several of them in turn, and applies a window to the "
         "result. This mixes files that each hold one class, and still reads every file from start "
         "to end, which suits cold storage."}})
      .label("Mode")
      .help("How far a sample may move.");
  d.integer("window", &Params::window)
      .usedWith("mode", {"window", "interleave"})
      .label("Window")
      .range(1, 1 << 28)
      .unit("samples")
      .help("Number of samples to draw from.");
  d.integer("files", &Params::files)
      .usedWith("mode", {"interleave"})
      .label("Interleaved files")
      .range(1, 65536)
      .unit("files")
      .help("Number of files that are read in turn, one sample from each.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Shuffle>(params));
  });
  d.exporter("pytorch", pytorch);
  d.exporter("tfdata", tfdata);
  d.exporter("dali", dali);
  d.exporter("grain", grain);
  d.exporter("tfdata.short", shortTf);
  d.exporter("pytorch.short", shortTorch);
  d.exporter("dali.short", shortDali);
  d.exporter("webdataset.short", shortWeb);
  return d.take();
}

}  // namespace millrace::nodes::shuffle
