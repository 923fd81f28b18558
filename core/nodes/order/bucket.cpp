// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/mutex.h"
#include "core/node_parts/sample_formula.h"
#include "core/spec/describe.h"
#include "core/spec/reads_samples.h"

namespace millrace::nodes::bucket {

namespace {

struct Params {
  std::string by = "width / height";
  std::int64_t window = 100;
};

using Entries = std::vector<SampleIndex>;
using Keys = std::vector<double>;

/// Samples are examined once per source. Thread-safe.
class Bucket final : public IndexTransform, public ReadsSamples {
 public:
  explicit Bucket(const Params& params) : m_params(params) {}

  bool readsSamples(const Source& source) const override {
    return formulaReadsSamples(source, m_params.by);
  }
  void apply(Entries& order, const OrderContext& context) const override {
    const std::shared_ptr<const Keys> keys = keysOf(*context.source);
    const auto key = [&](const SampleIndex& entry) { return (*keys)[entry.index]; };
    const std::size_t size = context.step * static_cast<std::size_t>(m_params.window);
    Draw draw = context.draw();
    for (std::size_t from = 0; from < order.size(); from += size) {
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(size, order.size() - from));
      std::ranges::stable_sort(begin, end, {}, key);
      if (!draw.centred()) shuffleSteps(begin, end, context.step, draw);
    }
  }

 private:
  using Place = Entries::iterator;

  /// Shuffles groups of `step` entries. A shorter one stays last, so that no other group is cut by
  /// the end of a batch.
  static void shuffleSteps(Place begin, Place end, std::size_t step, Draw& draw) {
    const auto whole = static_cast<std::int64_t>(end - begin) / static_cast<std::int64_t>(step);
    for (std::int64_t left = whole; left > 1; --left) {
      const auto at = [&](std::int64_t group) {
        return begin + group * static_cast<std::ptrdiff_t>(step);
      };
      const std::int64_t chosen = draw.integer(0, left - 1);
      if (chosen != left - 1) std::swap_ranges(at(chosen), at(chosen + 1), at(left - 1));
    }
  }

  /// Samples that cannot be read come last.
  std::shared_ptr<const Keys> keysOf(const Source& source) const {
    const MutexLock lock(m_mutex);
    if (m_keys && m_source == &source) return m_keys;
    Keys keys = valuesOfSamples(source, m_params.by, [](std::uint32_t) { return true; });
    for (double& key : keys)
      if (std::isnan(key)) key = std::numeric_limits<double>::infinity();
    m_keys = std::make_shared<const Keys>(std::move(keys));
    m_source = &source;
    return m_keys;
  }

  const Params m_params;
  mutable Mutex m_mutex;
  mutable const Source* m_source MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  mutable std::shared_ptr<const Keys> m_keys MILLRACE_GUARDED_BY(m_mutex);
};

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  checkSampleFormula("by", params.by, "width / height", in, context);
  return in;
}

ExportText exported(const Params&, const ExportContext&) {
  ExportText text;
  text.missing = "bucket is not exported: export the pipeline as Python over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("bucket", Category::Order, NodeRole::Order);
  d.label("Bucket").help(
      "Puts samples of similar size into the same batch, so that little of a padded batch is "
      "padding. It sorts a window of the order by a formula, cuts it into batches, and shuffles "
      "the batches; each sample still comes once. Put it after the shuffle and before a shard "
      "node, whose processes then get similar sizes at the same time. A formula that asks for "
      "more than `label` and `index` reads every sample, without decoding it, before the first "
      "batch of each repeat.");
  d.example(R"({"by": "width * height"})");
  d.tags({"length", "aspect", "padding", "ragged", "size", "batch"});
  d.text("by", &Params::by)
      .label("By")
      .help(
          "A formula such as `width / height`, `width * height` or `bytes`. It can use `index`, "
          "`label`, `bytes` (of all fields), `width`, `height` and `channels` of the picture in "
          "its file, and every field that is a single number.");
  d.integer("window", &Params::window)
      .label("Window")
      .range(1, 1000000)
      .unit("batches")
      .help("Number of batches that are sorted together. More: less padding, less random batches.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Bucket>(params));
  });
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) d.exporter(target, exported);
  return d.take();
}

}  // namespace millrace::nodes::bucket
