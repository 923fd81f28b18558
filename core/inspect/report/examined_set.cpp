// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/examined_set.h"

#include "core/base/text/text.h"
#include "core/spec/label_sets.h"

namespace millrace {

void ExaminedSet::take(const ExaminedBlock& block) {
  std::vector<SampleRecord> before(block.records.size());
  records.get(block.first, before);
  for (const SampleRecord& record : before)
    if (record.examined == 0) ++examined;
  records.put(block.first, block.records);
  sums.add(block.sums);
  for (const auto& [index, reason] : block.reasons)
    if (reasons.size() < kMostReasons) reasons.emplace(index, reason);
}

std::string ExaminedSet::classOf(std::uint32_t index) const {
  return classOf(index, records.at(index));
}

std::string ExaminedSet::classOf(std::uint32_t index, const SampleRecord& record) const {
  std::vector<std::string> names;
  for (const std::int64_t label : labelsOf(index, record)) {
    const auto at = static_cast<std::size_t>(label);
    names.push_back(at < classes.size() ? classes[at] : std::to_string(label));
  }
  return join(names, ", ");
}

std::vector<std::int64_t> ExaminedSet::labelsOf(std::uint32_t index,
                                                const SampleRecord& record) const {
  if (const auto* sets = dynamic_cast<const KnowsLabelSets*>(source.get());
      sets != nullptr && sets->hasLabelSets())
    return sets->labelsOf(index);
  return record.label < 0 ? std::vector<std::int64_t>() : std::vector<std::int64_t>{record.label};
}

std::string ExaminedSet::reasonOf(std::uint32_t index) const {
  const auto found = reasons.find(index);
  return found == reasons.end() ? std::string() : found->second;
}

std::string ExaminedSet::fileOf(std::uint32_t index) const {
  std::string file = source->file(index);
  return file.ends_with("/" + source->name(index)) ? file : std::string();
}

bool ExaminedSet::isOfParts() const {
  return source->size() > 0 && fileOf(0).empty() && !source->name(0).starts_with('/');
}

}  // namespace millrace
