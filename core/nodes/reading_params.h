// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "core/formats/block_reader.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

/// The parameter `read_ahead` of a source, whose `Params` have a member `readAhead`.
template <class Params>
void describeReadAhead(Describe<Params>& d) {
  d.integer("read_ahead", &Params::readAhead)
      .label("Read ahead")
      .range(0, 4096)
      .unit("samples")
      .speedOnly()
      .help(fmt::format(
          "Samples that are read before a worker asks for them, in the order of the run: so many "
          "reads are under way at once, up to {}, however few workers there are. For storage that "
          "takes long to answer, as a network or a disk with cold data. 0: each worker reads the "
          "sample that it works on.",
          ReadAheadSettings::kMostAtOnce));
  d.readAhead([](const Params& p) { return ReadAheadSettings{p.readAhead}; });
}

/// The parameter `read_by` of a source that reads by FileReader or RangeReader, and a member
/// `readBy`. `covers`: a sentence on what of the files is read so, where that is not all.
template <class Params>
void describeReadBy(Describe<Params>& d, std::string_view covers = {}) {
  d.template choice<ReadBy>(
       "read_by", &Params::readBy,
       {{ReadBy::Cache, "cache",
         "Through the system's page cache, which keeps for the next epoch what fits into memory."},
        {ReadBy::Direct, "direct",
         "Past it (O_DIRECT), where the file system can: every epoch reads the disk, whole blocks "
         "of 4096 bytes."}})
      .label("Read by")
      .speedOnly()
      .help(fmt::format(
          "`direct` spares copying and leaves the page cache to others: for large samples in data "
          "far larger than memory.{}{}",
          covers.empty() ? "" : " ", covers));
}

}  // namespace millrace::nodes
