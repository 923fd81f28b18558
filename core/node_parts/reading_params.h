// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/formats/folder/junk_names.h"
#include "core/formats/folder/page_source.h"
#include "core/formats/io/block_reader.h"
#include "core/spec/describe.h"
#include "core/storage/request_limit.h"

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
                        "cold disk. 0: each worker reads the sample that it works on. Of data at a "
                        "server, as many reads are in flight as the workers need, up to this "
                        "number, or up to {} with 0.",
                        ReadAheadSettings::kMostAtOnce, kMostRequests));
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

/// What becomes of picture files with several pages or frames.
enum class Pages : std::uint8_t { First, Each };

/// Adds the parameter `pages` of a source that reads loose picture files, whose `Params` have a
/// member `pages`; withPages() does it.
template <class Params>
void describePages(Describe<Params>& d) {
  d.template choice<Pages>(
       "pages", &Params::pages,
       {{Pages::First, "first", "A file is a sample; of several pages the first is used."},
        {Pages::Each, "each", "Every page or frame is a sample, with the label of its file."}})
      .label("Pages")
      .help(
          "What becomes of files with several pages or frames: TIFF, GIF, WebP, PNG, AVIF, HEIC "
          "and JPEG XL. each names them `scan.tif#0`, `scan.tif#1` and so on. A frame of an "
          "animation is what a viewer shows at that moment. Pages of a TIFF file that are marked "
          "as a smaller copy or a mask are left out. A target or mask needs as many pages as its "
          "picture. Every file is opened once at the start to count, reading a page reads its "
          "whole file, and showing a frame decodes those before it.");
}

/// A source of loose files as `pages` wants it.
inline Result<std::shared_ptr<const Source>> withPages(
    Pages pages, Result<std::shared_ptr<const Source>> files) {
  return files && pages == Pages::Each ? eachPageOf(files.take()) : std::move(files);
}

/// For exporters: files with several pages are divided only here.
inline void refusePages(Pages pages, std::string_view kind, ExportText& text) {
  if (pages == Pages::Each)
    text.missing = fmt::format(
        "{}.pages = each is not exported; write each page to a separate file, or export the "
        "pipeline as Python over the engine.",
        kind);
}

/// `what` of sources that list the files of folders with pictures.
inline constexpr std::string_view kJunkAmongPictures =
    "These are hidden files and folders, files of operating systems and file managers, unfinished "
    "downloads, checksums, read-mes and licences, and files with the extension of text, tables or "
    "archives. Files with an unknown extension or none are read.";

/// Adds the parameter `junk` of a source whose `Params` have a member `junk`. `what`: a sentence
/// that says what is left out.
template <class Params>
void describeJunk(Describe<Params>& d, std::string_view what) {
  d.template choice<Junk>("junk", &Params::junk,
                          {{Junk::Skip, "skip", "Left out, with one note that counts them."},
                           {Junk::Keep, "keep", "Read like all others."}})
      .label("Junk")
      .help(fmt::format("What happens to files and records that are not data by their names. {}",
                        what));
}

}  // namespace millrace::nodes
