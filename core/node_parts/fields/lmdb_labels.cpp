// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/fields/lmdb_labels.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/formats/io/range_reader.h"
#include "core/formats/real_labels.h"
#include "core/node_parts/fields/label_text.h"
#include "core/node_parts/fields/lmdb_fields.h"

namespace millrace::nodes {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The runs of letters.
std::vector<std::string_view> wordsIn(std::string_view key) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < key.size();) {
    std::size_t end = i;
    while (end < key.size() && isLetter(key[end])) ++end;
    if (end > i) words.push_back(key.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

/// The only word in which the keys differ.
std::optional<LmdbLabelKeys> differingWord(std::string_view picture, std::string_view label) {
  const auto pictures = wordsIn(picture);
  const auto labels = wordsIn(label);
  if (pictures.size() != labels.size()) return std::nullopt;
  std::optional<LmdbLabelKeys> found;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (pictures[i] == labels[i]) continue;
    if (found) return std::nullopt;
    found = LmdbLabelKeys{std::string(pictures[i]), std::string(labels[i]), {}};
  }
  return found;
}

using ByKey = std::unordered_map<std::string_view, std::uint32_t>;

ByKey recordsByKey(const LmdbDatabase& base) {
  ByKey byKey;
  byKey.reserve(base.records.size());
  for (const std::uint32_t record : base.records) byKey.emplace(base.listing.key(record), record);
  return byKey;
}

/// The text of a value that is a number; otherwise empty.
std::string numberIn(const LmdbDatabase& base, std::uint32_t record) {
  RangeReader reader;
  ReadCounters ignored;
  const auto value =
      readLmdbValue(reader, base.fd(), base.snapshot, base.listing.place(record), ignored);
  return value && realIn(*value) ? std::string(textIn(*value)) : std::string();
}

}  // namespace

std::string LmdbLabelKeys::labelOf(std::string_view key) const {
  for (const std::string_view word : wordsIn(key)) {
    if (word != picture) continue;
    const auto at = static_cast<std::size_t>(word.data() - key.data());
    return std::string(key).replace(at, picture.size(), label);
  }
  return {};
}

std::optional<LmdbLabelKeys> findLabelKeys(const LmdbDatabase& base, const LmdbProbe& probe) {
  if (!probe.picture || !probe.noPicture) return std::nullopt;
  auto keys = differingWord(base.listing.key(*probe.picture), base.listing.key(*probe.noPicture));
  if (!keys) return std::nullopt;
  const ByKey byKey = recordsByKey(base);
  std::size_t pictures = 0;
  std::size_t labelled = 0;
  std::size_t numbers = 0;
  RealLabels kinds;
  constexpr std::size_t kRead = 64;
  for (const std::uint32_t record : base.records) {
    const std::string wanted = keys->labelOf(base.listing.key(record));
    if (wanted.empty()) continue;
    ++pictures;
    const auto label = byKey.find(wanted);
    if (label == byKey.end()) continue;
    const std::string number = labelled++ < kRead ? numberIn(base, label->second) : "";
    if (number.empty()) continue;
    ++numbers;
    kinds.add(std::string_view(number));
  }
  if (2 * labelled <= pictures) return std::nullopt;
  if (2 * numbers > std::min(labelled, kRead))
    keys->number = kinds.areQuantities() ? quantityField(DType::F32) : lmdbLabelField();
  return keys;
}

std::vector<std::uint32_t> takeLabels(LmdbDatabase& base, const LmdbLabelKeys& keys) {
  const ByKey byKey = recordsByKey(base);
  std::vector<std::uint32_t> labels;
  std::vector<std::uint32_t> samples;
  const LmdbLabelKeys back{keys.label, keys.picture, {}};
  for (const std::uint32_t record : base.records) {
    const std::string_view key = base.listing.key(record);
    const std::string picture = back.labelOf(key);
    if (!picture.empty() && byKey.contains(picture)) continue;
    const auto label = byKey.find(keys.labelOf(key));
    samples.push_back(record);
    labels.push_back(label == byKey.end() ? kNoLabel : label->second);
  }
  base.records = std::move(samples);
  return labels;
}

}  // namespace millrace::nodes
