// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/convert/picture_work.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/io/growing_file.h"

namespace millrace {

/// How far a conversion was when it stopped; it resumes here.
struct ConvertMark {
  std::uint32_t next = 0;  ///< next sample of the source
  WriteMark writer;
  std::uint64_t bytesRead = 0;
  std::uint64_t failedCount = 0;
  ReductionCounts reduced{};
  /// The first failed samples, with reasons.
  std::vector<std::pair<std::string, std::string>> failed;
};

/// The folder `TARGET.part`, where data is written until it is complete: the data, a journal of the
/// progress, and a digest of every sample written. One thread.
class Staging {
 public:
  static std::filesystem::path folderFor(const std::filesystem::path& target);

  /// Errors: the target exists and may not be replaced or contains other files; or `TARGET.part`
  /// exists and is neither resumed nor may be replaced.
  static Result<Staging> open(const std::filesystem::path& target, std::uint64_t fingerprint,
                              IfThere ifThere, bool resume);

  /// Where to write. A single file has the target's name in it.
  std::filesystem::path data() const { return m_folder / "data"; }
  /// The progress of the conversion that is resumed; all zero if there is none.
  const ConvertMark& found() const { return m_found; }

  void digest(std::uint64_t digest) { m_digests.push_back(digest); }
  const std::vector<std::uint64_t>& digests() const { return m_digests; }
  /// Saves the progress in the journal. Data up to `mark` must be on the disk already.
  Status keep(const ConvertMark& mark);
  /// Moves the data to the target by one rename: the folder, or the single file in it. The other
  /// files that belong to a single file are moved next to the target before.
  Status publish(bool oneFile);
  /// Those other files, after publish().
  const std::vector<std::filesystem::path>& companions() const { return m_companions; }
  /// Deletes the staging folder.
  void discard();

 private:
  /// Makes the folder and its files.
  Status begin();
  Status readJournal();
  Status readDigests(std::uint64_t count);
  Status publishCompanions();

  std::filesystem::path m_target;
  std::filesystem::path m_folder;
  std::uint64_t m_fingerprint = 0;
  IfThere m_ifThere = IfThere::Refuse;
  std::vector<std::filesystem::path> m_companions;
  ConvertMark m_found;
  std::vector<std::uint64_t> m_digests;
  GrowingFile m_digestFile;
  std::size_t m_digestsKept = 0;
};

}  // namespace millrace
