// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "core/formats/io/block_reader.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

/// Adds the parameter `read_ahead` of a source, whose `Params` have a member `readAhead`.
template <class Params>
void describeReadAhead(Describe<Params>& d) {
  d.integer("read_ahead", &Params::readAhead)
      .label("Read ahead")
      .range(0, 4096)
      .unit("samples")
      .speedOnly()
      .help(fmt::format("Number of samples to read before a worker asks for them, in the order of "
                        "the run. Up to {} reads are then in flight at once, however few workers "
                        "there are. Use it for storage with high latency, such as a network or a "
                        "cold disk. 0: each worker reads the sample that it works on.",
                        ReadAheadSettings::kMostAtOnce));
  d.readAhead([](const Params& p) { return ReadAheadSettings{p.readAhead}; });
}

/// Adds the parameter `read_by` of a source that reads with FileReader or RangeReader, and whose
/// `Params` have a member `readBy`. `covers`: a sentence that says which parts of the files it
/// applies to, if not to all.
template <class Params>
void describeReadBy(Describe<Params>& d, std::string_view covers = {}) {
  d.template choice<ReadBy>(
       "read_by", &Params::readBy,
       {{ReadBy::Cache, "cache",
         "Through the system's page cache, which keeps what fits into memory for the next epoch."},
        {ReadBy::Direct, "direct",
         "Bypasses the page cache (O_DIRECT) if the file system supports it: every epoch reads "
         "from disk, in whole blocks of 4096 bytes."}})
      .label("Read by")
      .speedOnly()
      .help(fmt::format("How files are read. `direct` avoids copying and leaves the page cache to "
                        "others; use it for large samples in data much larger than memory.{}{}",
                        covers.empty() ? "" : " ", covers));
}

}  // namespace millrace::nodes
