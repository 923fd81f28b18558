// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/open_file.h"
#include "core/formats/tfrecord/tfrecord.h"

namespace millrace {

/// The records of one file, for GrowingListing.
class TfRecordPart {
 public:
  explicit TfRecordPart(const OpenFile& file) : m_scan(std::in_place, file.fd.get(), file.size) {}
  Status advance(std::size_t most) { return m_scan->advance(most, m_index); }
  bool done() const { return m_scan->done(); }
  std::size_t size() const { return m_index.size(); }
  std::vector<std::string> finish() {
    std::vector<std::string> notes = m_scan->damage();
    if (m_scan->damagedPlaces() > notes.size())
      notes.push_back(fmt::format("{} damaged places in total", grouped(m_scan->damagedPlaces())));
    m_scan.reset();
    return notes;
  }
  TfRecordIndex::Place at(std::size_t record) const { return m_index.at(record); }

 private:
  std::optional<TfRecordScan> m_scan;
  TfRecordIndex m_index;
};

}  // namespace millrace
