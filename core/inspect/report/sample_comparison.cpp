// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/sample_comparison.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <numeric>

#include "core/inspect/report/near_pairs.h"

namespace millrace {

namespace {

/// Comparisons of hashes: about ten seconds.
constexpr std::uint64_t kNearBudget = 1'000'000'000;
/// Of samples with equal hashes, so many different ones are distinguished by proportions and
/// colour.
constexpr std::size_t kMostAlike = 64;
constexpr double kRatioApart = 1.1;
constexpr int kColourApart = 10;

struct Keyed {
  std::uint64_t key = 0;
  SampleId sample;
  auto operator<=>(const Keyed&) const = default;
};

/// Calls `use` with every group of equal keys of a sorted list.
template <class Use>
void forGroups(std::span<const Keyed> sorted, Use use) {
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end].key == sorted[begin].key) ++end;
    use(sorted.subspan(begin, end - begin));
    begin = end;
  }
}

class Comparison {
 public:
  explicit Comparison(std::span<const ExaminedSet> sets) : m_sets(sets) {}

  FoundSamples run() {
    findAlone();
    findCopies();
    findNear();
    for (auto& samples : m_found.of)
      std::ranges::sort(samples, {}, [](const FoundSample& found) { return found.sample; });
    return std::move(m_found);
  }

 private:
  const SampleRecord& record(SampleId id) const { return m_sets[id.set].records[id.index]; }

  void findAlone() {
    for (std::uint32_t set = 0; set < m_sets.size(); ++set)
      for (std::uint32_t i = 0; i < m_sets[set].records.size(); ++i) {
        const SampleRecord& record = m_sets[set].records[i];
        for (std::size_t f = 0; record.findings != 0 && f < kFindings; ++f)
          if (record.has(static_cast<Finding>(f))) m_found.of[f].push_back({{set, i}, {}});
      }
  }

  /// A broken file has to go in any case, so copies of it are not worth a line.
  static bool isCompared(const SampleRecord& record) {
    return record.examined != 0 && record.isRead() && !record.has(Finding::Broken) &&
           !record.has(Finding::Truncated);
  }

  void findCopies() {
    std::vector<Keyed> all;
    for (std::uint32_t set = 0; set < m_sets.size(); ++set)
      for (std::uint32_t i = 0; i < m_sets[set].records.size(); ++i)
        if (const SampleRecord& record = m_sets[set].records[i]; isCompared(record))
          all.push_back({record.content, {set, i}});
    std::ranges::sort(all);
    forGroups(all, [this](std::span<const Keyed> group) {
      const SampleId first = group.front().sample;
      if (record(first).hasLook != 0) m_looks.push_back({record(first).look, first});
      if (group.size() < 2) return;
      addGroup(group, Finding::Duplicate, Finding::Shared);
      addConflicts(group);
    });
  }

  void addGroup(std::span<const Keyed> group, Finding within, Finding across) {
    SampleId ofSet = group.front().sample;
    for (const Keyed& one : group.subspan(1)) {
      const SampleId sample = one.sample;
      if (sample.set != group.front().sample.set)
        m_found[across].push_back({sample, group.front().sample});
      if (sample.set == ofSet.set)
        m_found[within].push_back({sample, ofSet});
      else
        ofSet = sample;
    }
  }

  void addConflicts(std::span<const Keyed> group) {
    const auto classOf = [this](SampleId id) { return m_sets[id.set].classOf(id.index); };
    const std::string first = classOf(group.front().sample);
    const auto other = std::ranges::find_if(group, [&](const Keyed& one) {
      const std::string found = classOf(one.sample);
      return !found.empty() && found != first;
    });
    if (first.empty() || other == group.end()) return;
    for (const Keyed& one : group)
      m_found[Finding::Conflict].push_back(
          {one.sample, classOf(one.sample) == first ? other->sample : group.front().sample});
  }

  bool isAlike(SampleId a, SampleId b) const {
    const SampleRecord& x = record(a);
    const SampleRecord& y = record(b);
    const double ratio = static_cast<double>(x.width) * y.height /
                         std::max(1.0, static_cast<double>(x.height) * y.width);
    if (ratio > kRatioApart || ratio < 1 / kRatioApart) return false;
    for (std::size_t c = 0; c < x.colour.size(); ++c)
      if (std::abs(int{x.colour[c]} - int{y.colour[c]}) > kColourApart) return false;
    return true;
  }

  std::uint32_t rootOf(std::uint32_t item) {
    while (m_parent[item] != item) item = m_parent[item] = m_parent[m_parent[item]];
    return item;
  }
  void join(std::uint32_t a, std::uint32_t b) { m_parent[rootOf(a)] = rootOf(b); }

  /// Joins samples with equal hashes, and returns those that stand for all: different ones.
  std::vector<std::uint32_t> joinEqual() {
    std::vector<std::uint32_t> standing;
    std::size_t begun = 0;
    for (std::uint32_t i = 0; i < m_looks.size(); ++i) {
      if (i == 0 || m_looks[i].key != m_looks[i - 1].key) begun = standing.size();
      const auto same = std::find_if(
          standing.begin() + static_cast<std::ptrdiff_t>(begun), standing.end(),
          [&](std::uint32_t k) { return isAlike(m_looks[i].sample, m_looks[k].sample); });
      if (same != standing.end())
        join(i, *same);
      else if (standing.size() - begun < kMostAlike)
        standing.push_back(i);
      else
        m_found.allNear = false;
    }
    return standing;
  }

  void findNear() {
    std::ranges::sort(m_looks);
    m_parent.resize(m_looks.size());
    std::iota(m_parent.begin(), m_parent.end(), 0U);
    joinNear(joinEqual());
    std::vector<Keyed> groups;
    groups.reserve(m_looks.size());
    for (std::uint32_t i = 0; i < m_looks.size(); ++i)
      groups.push_back({rootOf(i), m_looks[i].sample});
    std::ranges::sort(groups);
    forGroups(groups, [this](std::span<const Keyed> group) {
      if (group.size() > 1) addGroup(group, Finding::NearDuplicate, Finding::NearShared);
    });
  }

  /// Joins samples whose hashes differ in few bits. `standing`: of joinEqual().
  void joinNear(const std::vector<std::uint32_t>& standing) {
    std::vector<std::uint64_t> hashes;  // each once
    std::vector<std::size_t> begins;    // of those with the same hash, in `standing`
    for (std::size_t i = 0; i < standing.size(); ++i) {
      const std::uint64_t hash = m_looks[standing[i]].key;
      if (!hashes.empty() && hashes.back() == hash) continue;
      hashes.push_back(hash);
      begins.push_back(i);
    }
    begins.push_back(standing.size());
    const auto samplesOf = [&](std::uint32_t hash) {
      return std::span(standing).subspan(begins[hash], begins[hash + 1] - begins[hash]);
    };
    const auto found = [&](std::uint32_t a, std::uint32_t b) {
      for (const std::uint32_t x : samplesOf(a))
        for (const std::uint32_t y : samplesOf(b))
          if (isAlike(m_looks[x].sample, m_looks[y].sample)) join(x, y);
    };
    if (!findNearPairs(hashes, kNearBits, kNearBudget, found)) m_found.allNear = false;
  }

  const std::span<const ExaminedSet> m_sets;
  FoundSamples m_found;
  std::vector<Keyed> m_looks;           ///< differenceHash of the first of each group of copies
  std::vector<std::uint32_t> m_parent;  ///< disjoint sets of m_looks
};

}  // namespace

FoundSamples findSamples(std::span<const ExaminedSet> sets) { return Comparison(sets).run(); }

}  // namespace millrace
