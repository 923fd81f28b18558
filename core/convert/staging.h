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
#include "core/formats/dataset_writer.h"
#include "core/formats/growing_file.h"

namespace millrace {

/// Where a conversion that was stopped goes on.
struct ConvertMark {
  std::uint32_t next = 0;  ///< the source's next sample
  WriteMark writer;
  std::uint64_t bytesRead = 0;
  std::uint64_t failedCount = 0;
  std::vector<std::pair<std::string, std::string>> failed;  ///< the first ones, with reasons
};

/// What is being written, out of sight until it is whole: the folder `TARGET.part`, with the data,
/// a journal of how far it is, and a digest of each sample written. One thread.
class Staging {
 public:
  static std::filesystem::path folderFor(const std::filesystem::path& target);

  /// Refuses a target that is there, unless it may be replaced and holds nothing but data; and what
  /// an earlier conversion left, unless this one resumes it or may replace it.
  static Result<Staging> open(const std::filesystem::path& target, std::uint64_t fingerprint,
                              IfThere ifThere, bool resume);

  /// Where to write. With one file its name is the target's.
  std::filesystem::path data() const { return m_folder / "data"; }
  /// What was found of an earlier conversion; all zero where there was none.
  const ConvertMark& found() const { return m_found; }

  void digest(std::uint64_t digest) { m_digests.push_back(digest); }
  const std::vector<std::uint64_t>& digests() const { return m_digests; }
  /// What `mark` names is on the disk already.
  Status keep(const ConvertMark& mark);
  /// The target appears by one rename: the data's folder, or the one file in it.
  Status publish(bool oneFile);
  /// Takes everything away.
  void discard();

 private:
  Status readJournal();
  Status readDigests(std::uint64_t count);

  std::filesystem::path m_target;
  std::filesystem::path m_folder;
  std::uint64_t m_fingerprint = 0;
  ConvertMark m_found;
  std::vector<std::uint64_t> m_digests;
  GrowingFile m_digestFile;
  std::size_t m_digestsKept = 0;
};

}  // namespace millrace
