// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/sample_comparison.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inspect/report/near_pairs.h"

namespace millrace {

namespace {

/// Comparisons of hashes: about ten seconds.
constexpr std::uint64_t kNearBudget = 1'000'000'000;
constexpr std::uint64_t kCostOfLookUp = 10;
constexpr std::uint64_t kCostOfReading = 200;
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

bool haveOneKey(const Keyed& a, const Keyed& b) { return a.key == b.key; }

/// How a picture looks.
struct Look {
  std::uint64_t hash = 0;  ///< differenceHash
  SampleId sample;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::array<std::uint8_t, 3> colour{};
};

Look lookOf(const SampleRecord& record, SampleId sample) {
  return {record.look, sample, record.width, record.height, record.colour};
}

bool isBefore(const Look& a, const Look& b) {
  return a.hash != b.hash ? a.hash < b.hash : a.sample < b.sample;
}

/// Whether pictures with similar hashes also have about the same proportions and colour.
bool isAlike(const Look& a, const Look& b) {
  const double ratio = static_cast<double>(a.width) * b.height /
                       std::max(1.0, static_cast<double>(a.height) * b.width);
  if (ratio > kRatioApart || ratio < 1 / kRatioApart) return false;
  for (std::size_t c = 0; c < a.colour.size(); ++c)
    if (std::abs(int{a.colour[c]} - int{b.colour[c]}) > kColourApart) return false;
  return true;
}

/// Looks that stand for all those with the same hash, proportions and colour.
struct Standing {
  SpilledList<Look> looks;            ///< in the order of isBefore
  SpilledList<Keyed> members;         ///< all samples, with the position of the look
  SpilledList<std::uint64_t> hashes;  ///< of the looks, each once
  SpilledList<std::uint64_t> begins;  ///< of the looks with each of these hashes, and the end
};

/// Disjoint sets of numbers.
class Unions {
 public:
  explicit Unions(std::uint64_t size) : m_parents(kBytesInMemory) {
    for (std::uint32_t i = 0; i < size; ++i) m_parents.append(i);
  }
  std::uint32_t rootOf(std::uint32_t item) {
    for (;;) {
      const std::uint32_t parent = m_parents.at(item);
      if (parent == item) return item;
      const std::uint32_t next = m_parents.at(parent);
      if (next != parent) m_parents.put(item, std::span(&next, 1));
      item = next;
    }
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t root = rootOf(b);
    m_parents.put(rootOf(a), std::span(&root, 1));
  }

 private:
  static constexpr std::size_t kBytesInMemory = std::size_t{4} << 20U;
  SpilledList<std::uint32_t> m_parents;
};

class Comparison {
 public:
  explicit Comparison(std::span<const ExaminedSet> sets) : m_sets(sets) {}

  FoundSamples run() {
    findCopies(findAlone());
    findNear();
    for (auto& samples : m_found.of)
      samples = sorted(
          samples, [](const FoundSample& a, const FoundSample& b) { return a.sample < b.sample; });
    return std::move(m_found);
  }

 private:
  SampleRecord record(SampleId id) const { return m_sets[id.set].records.at(id.index); }

  /// Returns the samples that are compared, with their content.
  SpilledList<Keyed> findAlone() {
    SpilledList<Keyed> compared;
    for (std::uint32_t set = 0; set < m_sets.size(); ++set) {
      SampleId id = {set, 0};
      m_sets[set].records.forEach([&](const SampleRecord& record) {
        for (std::size_t f = 0; record.findings != 0 && f < kFindings; ++f)
          if (record.has(static_cast<Finding>(f))) m_found.of[f].append({id, {}});
        if (isCompared(record)) compared.append({record.content, id});
        ++id.index;
      });
    }
    return compared;
  }

  /// A broken file has to go in any case, so copies of it are not worth a line.
  static bool isCompared(const SampleRecord& record) {
    return record.examined != 0 && record.isRead() && !record.has(Finding::Broken) &&
           !record.has(Finding::Truncated);
  }

  void findCopies(const SpilledList<Keyed>& compared) {
    const SpilledList<Keyed> all = sorted(compared);
    SpilledList<SampleId> firsts;
    forGroups(all, haveOneKey, [&](std::uint64_t begin, std::uint64_t end, const Keyed& first) {
      firsts.append(first.sample);
      if (end - begin < 2) return;
      addGroup(all, begin, end, Finding::Duplicate, Finding::Shared);
      addConflicts(all, begin, end);
    });
    // In the order of the samples, so that their records are read one after the other.
    sorted(firsts).forEach([this](SampleId id) {
      if (const SampleRecord first = record(id); first.hasLook != 0)
        m_looks.append(lookOf(first, id));
    });
  }

  void addGroup(const SpilledList<Keyed>& groups, std::uint64_t begin, std::uint64_t end,
                Finding within, Finding across) {
    const SampleId first = groups.at(begin).sample;
    SampleId ofSet = first;
    groups.forEach(begin + 1, end, [&](const Keyed& one) {
      const SampleId sample = one.sample;
      if (sample.set != first.set) m_found[across].append({sample, first});
      if (sample.set == ofSet.set)
        m_found[within].append({sample, ofSet});
      else
        ofSet = sample;
    });
  }

  void addConflicts(const SpilledList<Keyed>& groups, std::uint64_t begin, std::uint64_t end) {
    const auto classOf = [this](SampleId id) { return m_sets[id.set].classOf(id.index); };
    const SampleId front = groups.at(begin).sample;
    const std::string first = classOf(front);
    if (first.empty()) return;
    std::optional<SampleId> other;
    groups.forEach(begin + 1, end, [&](const Keyed& one) {
      if (other) return;
      const std::string found = classOf(one.sample);
      if (!found.empty() && found != first) other = one.sample;
    });
    if (!other) return;
    groups.forEach(begin, end, [&](const Keyed& one) {
      m_found[Finding::Conflict].append(
          {one.sample, classOf(one.sample) == first ? *other : front});
    });
  }

  /// Divides the looks into those that stand for others and the others.
  Standing standing() {
    Standing made;
    std::vector<Look> same;  // standing looks with the current hash
    sorted(m_looks, isBefore).forEach([&](const Look& look) {
      if (same.empty() || same.front().hash != look.hash) {
        same.clear();
        made.hashes.append(look.hash);
        made.begins.append(made.looks.size());
      }
      const auto found =
          std::ranges::find_if(same, [&](const Look& other) { return isAlike(look, other); });
      if (found == same.end() && same.size() == kMostAlike) {
        m_found.allNear = false;
        return;
      }
      const auto at = static_cast<std::uint64_t>(found - same.begin());
      if (found == same.end()) {
        same.push_back(look);
        made.looks.append(look);
      }
      made.members.append({made.looks.size() - same.size() + at, look.sample});
    });
    made.begins.append(made.looks.size());
    return made;
  }

  void findNear() {
    const Standing looks = standing();
    m_looks = SpilledList<Look>();
    Unions unions(looks.looks.size());
    joinNear(looks, unions);
    SpilledList<Keyed> rooted;
    looks.members.forEach([&](const Keyed& member) {
      rooted.append({unions.rootOf(static_cast<std::uint32_t>(member.key)), member.sample});
    });
    const SpilledList<Keyed> groups = sorted(rooted);
    forGroups(groups, haveOneKey, [&](std::uint64_t begin, std::uint64_t end, const Keyed&) {
      if (end - begin > 1)
        addGroup(groups, begin, end, Finding::NearDuplicate, Finding::NearShared);
    });
  }

  /// Joins looks whose hashes differ in few bits.
  void joinNear(const Standing& all, Unions& unions) {
    const auto looksOf = [&](std::uint32_t hash) {
      const std::uint64_t begin = all.begins.at(hash);
      std::vector<Look> looks(all.begins.at(hash + 1) - begin);
      all.looks.get(begin, looks);
      return std::pair(begin, looks);
    };
    // Where most samples resemble each other, most pairs are of a group that is already joined.
    Unions joined(all.hashes.size());
    const auto found = [&](std::uint32_t a, std::uint32_t b) -> std::uint64_t {
      if (joined.rootOf(a) == joined.rootOf(b)) return kCostOfLookUp;
      const auto [beginX, xs] = looksOf(a);
      const auto [beginY, ys] = looksOf(b);
      const bool areSingle = xs.size() == 1 && ys.size() == 1;
      if (areSingle && isAlike(xs[0], ys[0])) joined.join(a, b);
      for (std::size_t x = 0; x < xs.size(); ++x)
        for (std::size_t y = 0; y < ys.size(); ++y)
          if (isAlike(xs[x], ys[y]))
            unions.join(static_cast<std::uint32_t>(beginX + x),
                        static_cast<std::uint32_t>(beginY + y));
      return kCostOfReading * xs.size() * ys.size();
    };
    if (!findNearPairs(all.hashes, kNearBits, kNearBudget, found)) m_found.allNear = false;
  }

  const std::span<const ExaminedSet> m_sets;
  FoundSamples m_found;
  SpilledList<Look> m_looks;  ///< of the first of each group of copies
};

}  // namespace

FoundSamples findSamples(std::span<const ExaminedSet> sets) { return Comparison(sets).run(); }

}  // namespace millrace
