// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/recordio/record_io_part.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/open_file.h"

namespace millrace {

RecordIoPart::RecordIoPart(const ContainerFile& file, bool pictures)
    : m_file(file), m_pictures(pictures), m_scan(std::in_place, fd(), file.file.size) {}

Status RecordIoPart::advance(std::size_t most) {
  if (!m_begun) {
    m_begun = true;
    takeIdx();
  }
  return m_done ? Status() : m_scan->advance(most, m_index);
}

std::vector<std::string> RecordIoPart::finish() {
  m_notes.insert(m_notes.end(), m_scan->damage().begin(), m_scan->damage().end());
  m_scan.reset();
  m_done = true;
  return std::move(m_notes);
}

void RecordIoPart::takeIdx() {
  std::filesystem::path path = m_file.path;
  path.replace_extension(".idx");
  if (!isFileAt(path)) return;
  auto index = readRecordIoIdx(path, m_file.file.size);
  const std::string wrong = index ? wrongPlace(*index) : index.error().message;
  if (!wrong.empty()) {
    m_notes.push_back(
        fmt::format("`{}` is not used: {}; the records were found by their headers instead",
                    validUtf8(path.filename().native()), wrong));
    return;
  }
  m_index = index.take();
  m_done = true;
  if (m_pictures) leaveOutFaces();
}

/// Checks at a few places whether records start where the index says; returns the error, or empty.
std::string RecordIoPart::wrongPlace(const RecordIoIndex& index) const {
  if (index.places.empty()) return "it is empty";
  const std::size_t last = index.places.size() - 1;
  for (const std::size_t i : {std::size_t{0}, last / 2, last}) {
    std::uint32_t magic = 0;
    const auto got = readAt(fd(), index.places[i].offset, &magic, sizeof magic);
    if (!got || *got < sizeof magic || magic != kRecordIoMagic)
      return fmt::format("no record starts at byte {}", grouped(index.places[i].offset));
  }
  return {};
}

/// Face data sets start with a record without a picture, whose first label is the first key of
/// further such records (insightface, recognition/arcface_mxnet/image_iter.py).
void RecordIoPart::leaveOutFaces() {
  RecordIoReader reader;
  ReadCounters counters;
  const auto record = reader.read(fd(), m_index.places.front(), counters);
  const auto image = record ? parseRecordIoImage(*record) : Error{"damaged"};
  if (!image || !image->content.empty() || image->labelCount() < 2 || image->label(0) < 1) return;
  const auto end = static_cast<double>(image->label(0));
  const std::uint64_t head = m_index.keys.front();
  RecordIoIndex kept;
  for (std::size_t i = 0; i < m_index.places.size(); ++i) {
    if (m_index.keys[i] == head || static_cast<double>(m_index.keys[i]) >= end) continue;
    kept.places.push_back(m_index.places[i]);
    kept.keys.push_back(m_index.keys[i]);
  }
  const std::size_t out = m_index.places.size() - kept.places.size();
  m_notes.push_back(fmt::format("{} about other records {} no picture and {} left out",
                                counted(out, "record"), out == 1 ? "has" : "have",
                                out == 1 ? "is" : "are"));
  m_index = std::move(kept);
}

}  // namespace millrace
