// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/container_file.h"
#include "core/formats/recordio/record_io.h"

namespace millrace {

/// The records of one file, for GrowingListing: those listed in the .idx file next to it, in its
/// order, if that matches the file, otherwise those found by scanning. Must not be read while it is
/// written.
class RecordIoPart {
 public:
  /// `file` must outlive this object. `pictures`: leave out the records of an .idx file that
  /// describe other records and have no picture, as in face data sets.
  RecordIoPart(const ContainerFile& file, bool pictures);

  Status advance(std::size_t most);
  bool done() const { return m_done || m_scan->done(); }
  std::size_t size() const { return m_index.places.size(); }
  /// Notes on what was skipped or left out, and why an .idx file is not used.
  std::vector<std::string> finish();

  const RecordIoIndex::Place& place(std::uint32_t record) const { return m_index.places[record]; }
  /// The key in the .idx file; without one, the record's number.
  std::uint64_t key(std::uint32_t record) const {
    return m_index.keys.empty() ? record : m_index.keys[record];
  }

 private:
  int fd() const { return m_file.file.fd.get(); }
  void takeIdx();
  std::string wrongPlace(const RecordIoIndex& index) const;
  void leaveOutFaces();

  const ContainerFile& m_file;
  const bool m_pictures;
  std::optional<RecordIoScan> m_scan;
  RecordIoIndex m_index;
  std::vector<std::string> m_notes;
  bool m_begun = false;
  bool m_done = false;
};

}  // namespace millrace
