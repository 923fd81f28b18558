// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/unpacked_file.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/temporary_file.h"

namespace millrace {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18U;

/// Use once.
class Unpacking {
 public:
  Unpacking(const OpenFile& file, Packing packing)
      : Unpacking(file, packing == Packing::Gzip ? ISAL_GZIP : ISAL_ZLIB, 0, file.size,
                  UINT64_MAX) {}
  Unpacking(const OpenFile& file, const DeflatedRange& range)
      : Unpacking(file, ISAL_DEFLATE, range.offset, range.offset + range.packedSize, range.size) {}

 private:
  Unpacking(const OpenFile& file, int flag, std::uint64_t from, std::uint64_t to,
            std::uint64_t most)
      : m_file(file),
        m_flag(flag),
        m_end(to),
        m_most(most),
        m_read(from),
        m_state(std::make_unique<inflate_state>()),
        m_in(kPiece),
        m_out(kPiece) {
    begin();
  }

 public:
  /// CRC-32 of the decompressed content.
  std::uint32_t crc() const { return m_crc; }

  /// `damage`: as in unpacked().
  Result<OpenFile> run(std::string* damage = nullptr) {
    MILLRACE_ASSIGN_OR_RETURN(m_result.fd, temporaryFile());
    if (Status done = unpackAll(); !done) {
      if (damage == nullptr || !m_isDamaged) return done.error();
      *damage = done.error().message;
    }
    return std::move(m_result);
  }

 private:
  Status unpackAll() {
    for (;;) {
      if (m_state->block_state == ISAL_BLOCK_FINISH) {
        MILLRACE_TRY(refill());
        // Zeros after the last member are padding, as in gzip.
        if (m_flag == ISAL_DEFLATE || m_state->avail_in == 0 || *m_state->next_in == 0) return {};
        begin();
      }
      MILLRACE_TRY(refill());
      if (m_state->avail_in == 0 && m_atEnd) {
        m_isDamaged = true;
        return Error{
            fmt::format("the compressed content is truncated at byte {}", grouped(m_read))};
      }
      MILLRACE_TRY(step());
    }
  }

  void begin() {
    unsigned char* next = m_state->next_in;
    const std::uint32_t left = m_state->avail_in;
    isal_inflate_init(m_state.get());
    m_state->crc_flag = static_cast<std::uint32_t>(m_flag);
    m_state->next_in = next;
    m_state->avail_in = left;
  }

  Status refill() {
    if (m_state->avail_in > 0 || m_atEnd) return {};
    const std::uint64_t wanted = std::min<std::uint64_t>(m_in.size(), m_end - m_read);
    MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(m_file.fd.get(), m_read, m_in.data(), wanted));
    m_atEnd = got == 0;
    m_read += got;
    m_state->next_in = m_in.data();
    m_state->avail_in = static_cast<std::uint32_t>(got);
    return {};
  }

  Status step() {
    do {
      m_state->next_out = m_out.data();
      m_state->avail_out = static_cast<std::uint32_t>(m_out.size());
      const int code = isal_inflate(m_state.get());
      const std::size_t made = m_out.size() - m_state->avail_out;
      if (made > m_most - m_result.size)
        return Error{fmt::format("the compressed content is longer than the expected {} bytes",
                                 grouped(m_most))};
      if (m_flag == ISAL_DEFLATE) m_crc = crc32_gzip_refl(m_crc, m_out.data(), made);
      MILLRACE_TRY(appendUnpacked(m_result.fd.get(), std::as_bytes(std::span(m_out).first(made))));
      m_result.size += made;
      if (code != ISAL_DECOMP_OK) {
        m_isDamaged = true;
        const std::string place = "before byte " + grouped(m_read - m_state->avail_in);
        return Error{code == ISAL_INCORRECT_CHECKSUM
                         ? "the checksum of the compressed content " + place + " is wrong"
                         : "the compressed content is damaged " + place};
      }
    } while (m_state->avail_out == 0);
    return {};
  }

  const OpenFile& m_file;
  const int m_flag;
  const std::uint64_t m_end;   ///< end of the compressed bytes
  const std::uint64_t m_most;  ///< maximum size of the content
  std::uint64_t m_read;        ///< offset of the next compressed bytes
  std::uint32_t m_crc = 0;
  std::unique_ptr<inflate_state> m_state;
  std::vector<unsigned char> m_in;
  std::vector<unsigned char> m_out;
  bool m_atEnd = false;
  bool m_isDamaged = false;
  OpenFile m_result;
};

}  // namespace

Packing packingOf(std::span<const std::byte> head) {
  if (head.size() < 2) return Packing::None;
  const auto first = std::to_integer<unsigned>(head[0]);
  const auto second = std::to_integer<unsigned>(head[1]);
  if (first == 0x1f && second == 0x8b) return Packing::Gzip;
  if ((first & 0x0fU) == 8 && first >> 4U <= 7 && (first * 256 + second) % 31 == 0)
    return Packing::Zlib;
  return Packing::None;
}

Result<OpenFile> unpacked(const OpenFile& file, Packing packing, std::string* damage) {
  return Unpacking(file, packing).run(damage);
}

Result<OpenFile> inflated(const OpenFile& file, const DeflatedRange& range) {
  Unpacking unpacking(file, range);
  auto content = unpacking.run();
  if (content && (content->size != range.size || unpacking.crc() != range.crc))
    return Error{"the compressed content is damaged: its size or checksum is wrong"};
  return content;
}

}  // namespace millrace
