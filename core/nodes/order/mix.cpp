// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/describe.h"
#include "core/spec/order_warnings.h"

namespace millrace::nodes::mix {

namespace {

enum class Until : std::uint8_t { Total, Shortest, Longest };

struct Params {
  RealList weights;
  double temperature = 1;
  RealList finalWeights;
  std::int64_t finalEpoch = 10;
  Until until = Until::Total;
};

using Entries = std::vector<SampleIndex>;
using Shares = std::vector<double>;

/// An epoch may become this many times longer than its source.
constexpr double kMostTimes = 1000;

Shares normalised(Shares shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

/// The shares of the parts in an epoch.
Shares sharesOf(const Params& params, const std::vector<Entries>& parts, std::uint32_t epoch) {
  Shares shares = params.weights;
  if (shares.empty())
    for (const Entries& part : parts)
      shares.push_back(std::pow(static_cast<double>(part.size()), 1 / params.temperature));
  shares = normalised(std::move(shares));
  const Shares last = normalised(params.finalWeights);
  const double gone = std::min(1.0, epoch / static_cast<double>(params.finalEpoch));
  for (std::size_t p = 0; p < std::min(shares.size(), last.size()); ++p)
    shares[p] = shares[p] * (1 - gone) + last[p] * gone;
  // What has no samples leaves its share to the others.
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (parts[p].empty()) shares[p] = 0;
  return normalised(std::move(shares));
}

/// Chooses part after part, so that among the first n choices, for every n, the number of each part
/// differs from its share of n by less than one: the algorithm of R. Tijdeman, "The chairman
/// assignment problem", Discrete Mathematics 32 (1980).
class Turns {
 public:
  explicit Turns(Shares shares)
      : m_shares(std::move(shares)), m_due(m_shares.size(), 0.0), m_most(mostOwed(m_shares)) {}

  std::size_t next() {
    std::size_t chosen = m_shares.size();
    double soonest = std::numeric_limits<double>::infinity();
    for (std::size_t p = 0; p < m_shares.size(); ++p) {
      m_due[p] += m_shares[p];
      if (m_shares[p] == 0 || m_due[p] < 1 - m_most - kRounding) continue;
      // The number of further choices after which it must have been chosen.
      const double left = (m_most - m_due[p]) / m_shares[p];
      if (left < soonest) {
        soonest = left;
        chosen = p;
      }
    }
    if (chosen == m_shares.size())
      chosen = static_cast<std::size_t>(std::ranges::max_element(m_due) - m_due.begin());
    m_due[chosen] -= 1;
    return chosen;
  }

 private:
  static constexpr double kRounding = 1e-9;

  /// 1 - 1 / (2k - 2) for k parts with a share.
  static double mostOwed(const Shares& shares) {
    const auto parts = std::ranges::count_if(shares, [](double share) { return share > 0; });
    return parts < 2 ? 0 : 1 - 1 / (2 * static_cast<double>(parts) - 2);
  }

  const Shares m_shares;
  Shares m_due;  ///< what a part lacks to its share
  const double m_most;
};

/// Number of samples in an epoch.
std::size_t lengthOf(Until until, const std::vector<Entries>& parts, const Shares& shares) {
  std::size_t total = 0;
  for (const Entries& part : parts) total += part.size();
  if (until == Until::Total) return total;
  Turns turns(shares);
  std::vector<std::size_t> left;
  for (const Entries& part : parts) left.push_back(part.size());
  for (std::size_t length = 0;; ++length) {
    if (std::ranges::all_of(left, [](std::size_t samples) { return samples == 0; })) return length;
    std::size_t& samples = left[turns.next()];
    if (samples == 0 && until == Until::Shortest) return length;
    if (samples > 0) --samples;
  }
}

class Mix final : public IndexTransform, public OrderWarnings {
 public:
  explicit Mix(const Params& params) : m_params(params) {}

  void apply(Entries& order, const OrderContext& context) const override {
    if (order.empty()) return;
    std::vector<Entries> parts(std::max(m_params.weights.size(), m_params.finalWeights.size()));
    std::uint32_t copies = 0;
    for (const SampleIndex& entry : order) {
      const std::uint32_t path = context.source->pathOf(entry.index);
      if (path >= parts.size()) parts.resize(path + 1);
      parts[path].push_back(entry);
      copies = std::max(copies, entry.copy + 1);
    }
    // Every epoch is as long as the first one.
    const std::size_t length = lengthOf(m_params.until, parts, sharesOf(m_params, parts, 0));
    Turns turns(sharesOf(m_params, parts, context.epoch));
    std::vector<std::size_t> taken(parts.size());
    order.clear();
    while (order.size() < length) {
      const std::size_t p = turns.next();
      const std::size_t size = parts[p].size();
      SampleIndex entry = parts[p][taken[p] % size];
      entry.copy += static_cast<std::uint32_t>(taken[p] / size) * copies;
      order.push_back(entry);
      ++taken[p];
    }
  }

  std::string whyNotAfterVarying() const override {
    if (m_params.until == Until::Total) return {};
    return "with `until` other than `total` the numbers of samples must be the same in each epoch";
  }

  std::vector<OrderWarning> warnings(const Source& source) const override {
    std::vector<bool> found(std::max(m_params.weights.size(), m_params.finalWeights.size()));
    for (std::uint32_t i = 0; i < source.size(); ++i)
      if (const std::uint32_t path = source.pathOf(i); path < found.size()) found[path] = true;
    std::vector<OrderWarning> all;
    for (std::size_t p = 0; p < found.size(); ++p)
      if (!found[p])
        all.push_back({fmt::format("the source's path number {} has no samples; the other paths "
                                   "share its part of the mix",
                                   p + 1),
                       "remove the path from the source"});
    return all;
  }

 private:
  const Params m_params;
};

/// Whether the list is empty or has a positive weight for each path.
bool checkWeights(const char* param, const RealList& weights, std::int64_t paths,
                  InferContext& context) {
  if (weights.empty()) return true;
  if (std::cmp_not_equal(weights.size(), paths)) {
    context.error(param,
                  fmt::format("{} for the source's {}", counted(weights.size(), "weight"),
                              counted(static_cast<std::size_t>(paths), "path")),
                  "give one weight for each path, in their order");
    return false;
  }
  const double least = *std::ranges::min_element(weights);
  const double most = *std::ranges::max_element(weights);
  if (least > 0 && most / least <= kMostTimes) return true;
  context.error(param,
                fmt::format("a weight of {} next to one of {}: a weight is more than 0 and at "
                            "most {} times another",
                            least, most, kMostTimes),
                "leave a path out by removing it from the source");
  return false;
}

StreamType infer(const Params& params, const StreamType& in, InferContext& context) {
  StreamType out = in;
  // The sizes of the parts are only known once the data is read.
  if (params.until != Until::Total) out.samples.reset();
  if (in.paths < 2) {
    context.error("", "the source has one path, so there is nothing to mix",
                  "add the paths of the other data to the source, or remove this node");
    return out;
  }
  checkWeights("weights", params.weights, in.paths, context);
  checkWeights("final_weights", params.finalWeights, in.paths, context);
  return out;
}

ExportText exported(const Params&, const ExportContext&) {
  ExportText text;
  text.missing = "mix is not exported: export the pipeline as Python over the engine.";
  return text;
}

}  // namespace

NodeSpec describe() {
  Describe<Params> d("mix", Category::Order, NodeRole::Order);
  d.label("Mix").help(
      "Mixes the paths of the source by weight: real and synthetic pictures, or data sets of "
      "different size. Among the first samples of an epoch, however many, the number from each "
      "path differs from its share by less than one. The samples of a path keep their order, so "
      "put a shuffle before this node.");
  d.example(R"({"weights": [0.7, 0.3]})");
  d.tags({"weighted", "interleave", "blend", "data sets", "proportion", "temperature"});
  d.reals("weights", &Params::weights)
      .label("Weights")
      .atLeast(0)
      .optional()
      .help(
          "One weight for each path of the source; only their ratio counts. Empty: by the numbers "
          "of samples and the temperature.");
  d.real("temperature", &Params::temperature)
      .label("Temperature")
      .range(1, 1000)
      .help(
          "Without weights, the share of a path is proportional to the number of its samples to "
          "the power of 1/temperature. 1: like the numbers of samples; large: equal shares.");
  d.reals("final_weights", &Params::finalWeights)
      .label("Final weights")
      .atLeast(0)
      .optional()
      .help("The weights change linearly to these, from epoch to epoch. Empty: they stay.");
  d.integer("final_epoch", &Params::finalEpoch)
      .label("Final epoch")
      .range(1, 1000000)
      .help("The epoch, counted from 0, from which on the final weights hold.");
  d.choice<Until>("until", &Params::until,
                  {{Until::Total, "total", "The epoch has as many samples as all paths together."},
                   {Until::Shortest, "shortest", "The epoch ends when a path has no sample left."},
                   {Until::Longest, "longest", "The epoch ends when every sample has come."}})
      .label("Until")
      .help(
          "When an epoch ends. Until then a path that has no sample left begins again, and its "
          "samples draw new numbers. With final weights, all epochs are as long as the first.");
  d.infer(infer);
  d.order([](const Params& params,
             const BuildContext&) -> Result<std::shared_ptr<const IndexTransform>> {
    return std::shared_ptr<const IndexTransform>(std::make_shared<Mix>(params));
  });
  for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) d.exporter(target, exported);
  return d.take();
}

}  // namespace millrace::nodes::mix
