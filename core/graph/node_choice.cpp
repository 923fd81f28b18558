// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/node_choice.h"

#include <algorithm>
#include <numeric>

#include "core/base/random.h"
#include "core/spec/sample_op.h"

namespace millrace {

namespace {

/// Draws by weight, each member once.
class Drawing {
 public:
  Drawing(const std::vector<double>& weights, Draw& draw)
      : m_weights(weights),
        m_left(std::accumulate(weights.begin(), weights.end(), 0.0)),
        m_draw(draw) {}

  std::size_t next() {
    double at = m_draw.unit() * m_left;
    std::size_t found = m_weights.size();
    for (std::size_t i = 0; i < m_weights.size(); ++i) {
      if (m_weights[i] == 0 || isDrawn(i)) continue;
      found = i;  // the last one, where rounding leaves a rest
      if (at < m_weights[i]) break;
      at -= m_weights[i];
    }
    m_drawn |= std::uint64_t{1} << found;
    m_left -= m_weights[found];
    return found;
  }

 private:
  bool isDrawn(std::size_t i) const { return (m_drawn >> i & 1U) != 0; }

  const std::vector<double>& m_weights;
  double m_left;
  Draw& m_draw;
  std::uint64_t m_drawn = 0;  ///< a bit for each of NodeChoice::kMostNodes
};

std::size_t candidates(const std::vector<double>& weights) {
  return static_cast<std::size_t>(
      std::ranges::count_if(weights, [](double weight) { return weight > 0; }));
}

}  // namespace

bool NodeChoice::isCertain() const {
  return probability >= 1 && weights[place] > 0 && count >= candidates(weights);
}

bool NodeChoice::applies(std::uint64_t seed, const SampleKey& sample, int view,
                         bool noRandom) const {
  Draw draw({seed, sample.epoch, sample.index, sample.copy, drawKeyOfView(key, view)}, noRandom);
  if (!draw.bernoulli(probability)) return false;
  if (count >= candidates(weights)) return weights[place] > 0;
  Drawing drawing(weights, draw);
  for (std::size_t i = 0; i < count; ++i)
    if (drawing.next() == place) return true;
  return false;
}

}  // namespace millrace
