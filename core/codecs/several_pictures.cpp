// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/several_pictures.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "core/base/little_endian.h"
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/picture_formats.h"

namespace millrace {

namespace {

constexpr std::string_view kMark("\0picture\0no.", 12);
constexpr std::size_t kFirstBytes = 4096;

/// Reads ahead, because heads are read a few bytes at a time.
class ReadWindow {
 public:
  explicit ReadWindow(const ReadBytes& read) : m_read(read), m_memory(kFirstBytes) { fill(0); }

  std::span<const std::byte> content() const { return std::span(m_memory).first(m_bytes); }

  std::size_t read(std::uint64_t offset, std::span<std::byte> to) {
    if (to.size() > m_memory.size()) return m_read(offset, to);
    if (offset < m_offset || offset + to.size() > m_offset + m_bytes) fill(offset);
    return bytesOf(content())(offset - m_offset, to);
  }

 private:
  void fill(std::uint64_t offset) {
    m_offset = offset;
    m_bytes = m_read(offset, m_memory);
  }

  const ReadBytes& m_read;
  std::vector<std::byte> m_memory;
  std::uint64_t m_offset = 0;
  std::size_t m_bytes = 0;
};

const CodecEntry* codecOf(std::span<const std::byte> file) {
  const auto found = std::ranges::find_if(
      allCodecs(), [&](const CodecEntry& entry) { return entry.recognises(file); });
  return found == allCodecs().end() ? nullptr : &*found;
}

}  // namespace

std::uint32_t countPictures(const ReadBytes& read) {
  ReadWindow window(read);
  const CodecEntry* const codec = codecOf(window.content());
  if (codec == nullptr || codec->pictures.count == nullptr) return 0;
  return codec->pictures.count(
      [&](std::uint64_t offset, std::span<std::byte> to) { return window.read(offset, to); });
}

std::optional<std::size_t> choosePicture(std::span<std::byte> memory, std::uint32_t picture) {
  const std::span<std::byte> file = memory.first(memory.size() - kChoiceBytes);
  const CodecEntry* const codec = codecOf(file);
  if (codec == nullptr || codec->pictures.count == nullptr) return std::nullopt;
  if (codec->pictures.standAlone != nullptr) {
    if (!codec->pictures.standAlone(file, picture)) return std::nullopt;
    return file.size();
  }
  std::byte* const mark = file.data() + file.size();
  std::memcpy(mark, kMark.data(), kMark.size());
  std::memcpy(mark + kMark.size(), &picture, sizeof(picture));
  return memory.size();
}

MarkedFile withoutMark(std::span<const std::byte> bytes) {
  if (bytes.size() < kChoiceBytes || !isAt(bytes, bytes.size() - kChoiceBytes, kMark))
    return {bytes, std::nullopt};
  return {bytes.first(bytes.size() - kChoiceBytes),
          littleEndian<std::uint32_t>(bytes.data() + bytes.size() - sizeof(std::uint32_t))};
}

}  // namespace millrace
