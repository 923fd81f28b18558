// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/container_file.h"
#include "core/formats/record_io.h"

namespace millrace {

/// The records of one file, found out bit by bit (GrowingListing): those that the .idx beside it
/// names, in its order, where that fits the file, else those that are found. One thread writes it
/// while no other reads.
class RecordIoPart {
 public:
  /// The file must outlive it. `pictures`: records of an .idx that tell of the others and hold no
  /// picture, as sets of faces have them, are left out.
  RecordIoPart(const ContainerFile& file, bool pictures);

  Status advance(std::size_t most);
  bool done() const { return m_done || m_scan->done(); }
  std::size_t size() const { return m_index.places.size(); }
  /// What was passed over or left out, and why an .idx is not used.
  std::vector<std::string> finish();

  const RecordIoIndex::Place& place(std::uint32_t record) const { return m_index.places[record]; }
  /// What the .idx calls it; else its number.
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
