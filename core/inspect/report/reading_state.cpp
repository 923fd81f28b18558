// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/reading_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

constexpr std::uint32_t kStateVersion = 2;
constexpr std::array<char, 8> kMagic = {'M', 'i', 'l', 'l', 'r', 'e', 'p', '\n'};
/// More than a block ever has: a damaged count must not decide how much memory is allocated.
constexpr std::uint32_t kMostRecords = 4096;
constexpr std::uint32_t kMostText = 1U << 22U;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kStateVersion;
  std::uint32_t recordBytes = sizeof(SampleRecord);
  std::uint64_t digest = 0;
  std::uint64_t samples = 0;
};

struct BlockHead {
  std::uint32_t first = 0;
  std::uint32_t records = 0;
  std::uint32_t textBytes = 0;
  std::uint32_t reasons = 0;
  ChannelSums sums;
};
static_assert(std::is_trivially_copyable_v<BlockHead> && std::is_trivially_copyable_v<Header>);

using Bytes = std::vector<std::byte>;

void appendBytes(Bytes& to, const void* from, std::size_t count) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + count);
}

std::uint64_t hashOf(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Bytes bytesOf(const ExaminedBlock& block) {
  Bytes text;
  for (const auto& [index, reason] : block.reasons) {
    const auto length = static_cast<std::uint32_t>(reason.size());
    appendBytes(text, &index, sizeof index);
    appendBytes(text, &length, sizeof length);
    appendBytes(text, reason.data(), reason.size());
  }
  const BlockHead head = {block.first, static_cast<std::uint32_t>(block.records.size()),
                          static_cast<std::uint32_t>(text.size()),
                          static_cast<std::uint32_t>(block.reasons.size()), block.sums};
  Bytes bytes;
  appendBytes(bytes, &head, sizeof head);
  appendBytes(bytes, block.records.data(), block.records.size() * sizeof(SampleRecord));
  appendBytes(bytes, text.data(), text.size());
  const std::uint64_t hash = hashOf(bytes);
  appendBytes(bytes, &hash, sizeof hash);
  return bytes;
}

/// False: the texts contradict their lengths.
bool readReasons(std::span<const std::byte> text, std::uint32_t count, ExaminedBlock& block) {
  for (std::uint32_t i = 0; i < count; ++i) {
    std::array<std::uint32_t, 2> head{};
    if (text.size() < sizeof head) return false;
    std::memcpy(head.data(), text.data(), sizeof head);
    text = text.subspan(sizeof head);
    if (text.size() < head[1]) return false;
    block.reasons.emplace_back(head[0],
                               std::string(reinterpret_cast<const char*>(text.data()), head[1]));
    text = text.subspan(head[1]);
  }
  return text.empty();
}

enum class Read : std::uint8_t { Block, End, Damaged };

/// Reads the blocks of a state in order.
class BlockReading {
 public:
  BlockReading(int fd, std::uint64_t size, std::uint64_t samples)
      : m_fd(fd), m_size(size), m_samples(samples) {}

  Read next(ExaminedBlock& block) {
    BlockHead head;
    if (!get(m_at, &head, sizeof head)) return Read::End;
    if (head.records > kMostRecords || head.textBytes > kMostText ||
        std::uint64_t{head.first} + head.records > m_samples)
      return Read::Damaged;
    const std::size_t records = head.records * sizeof(SampleRecord);
    Bytes bytes(sizeof head + records + head.textBytes + sizeof(std::uint64_t));
    if (!get(m_at, bytes.data(), bytes.size())) return Read::End;
    const auto content = std::span(bytes).first(bytes.size() - sizeof(std::uint64_t));
    std::uint64_t hash = 0;
    std::memcpy(&hash, bytes.data() + content.size(), sizeof hash);
    if (hash != hashOf(content)) return Read::Damaged;
    block = {};
    block.first = head.first;
    block.sums = head.sums;
    block.records.resize(head.records);
    if (records > 0) std::memcpy(block.records.data(), bytes.data() + sizeof head, records);
    if (!readReasons(content.subspan(sizeof head + records), head.reasons, block))
      return Read::Damaged;
    m_at += bytes.size();
    return Read::Block;
  }
  std::uint64_t at() const { return m_at; }

 private:
  bool get(std::uint64_t at, void* to, std::size_t count) const {
    if (at > m_size || m_size - at < count) return false;
    const auto got = readAt(m_fd, at, to, count);
    return got && *got == count;
  }

  const int m_fd;
  const std::uint64_t m_size;
  const std::uint64_t m_samples;
  std::uint64_t m_at = sizeof(Header);
};

/// Why the state with this header is not used; empty if it is.
std::string refusal(const Header& found, const Header& wanted) {
  if (found.magic != wanted.magic || found.version != wanted.version ||
      found.recordBytes != wanted.recordBytes)
    return "the state of the last report is of another version of Millrace";
  if (found.digest != wanted.digest || found.samples != wanted.samples)
    return "the data has changed since the last report";
  return {};
}

/// Passes the blocks to `take` and returns the bytes that are sound; 0 with a note: none are.
std::uint64_t readState(int fd, const Header& wanted, std::string& note,
                        const std::function<void(const ExaminedBlock&)>& take) {
  const off_t end = ::lseek(fd, 0, SEEK_END);
  const auto size = end > 0 ? static_cast<std::uint64_t>(end) : 0;
  Header found;
  const auto got = readAt(fd, 0, &found, sizeof found);
  if (!got || *got < sizeof found) return 0;
  note = refusal(found, wanted);
  if (!note.empty()) return 0;
  // Twice, because damage anywhere means that no block is used.
  for (const bool takes : {false, true}) {
    BlockReading reading(fd, size, wanted.samples);
    ExaminedBlock block;
    Read read = reading.next(block);
    for (; read == Read::Block; read = reading.next(block))
      if (takes) take(block);
    if (read == Read::Damaged) {
      note = "the state of the last report is damaged";
      return 0;
    }
    if (takes) return reading.at();
  }
  return 0;
}

}  // namespace

std::filesystem::path ReadingState::fileOf(const std::filesystem::path& folder,
                                           const std::filesystem::path& path) {
  std::error_code ignored;
  const auto canonical = std::filesystem::weakly_canonical(path, ignored);
  const std::string& text = canonical.empty() ? path.native() : canonical.native();
  return folder /
         fmt::format("{:016x}.report", hashOf(std::as_bytes(std::span(text.data(), text.size()))));
}

Result<ReadingState> ReadingState::open(const std::filesystem::path& file, std::uint64_t digest,
                                        std::uint32_t samples, bool discard,
                                        const std::function<void(const ExaminedBlock&)>& take) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  ReadingState state;
  state.m_file = file;
  state.m_fd = UniqueFd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!state.m_fd.valid()) return cannotWrite(file, errno);
  const int fd = state.m_fd.get();
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0)
    return Error{"another report on the same data is being made now"};
  Header header;
  header.digest = digest;
  header.samples = samples;
  if (!discard) state.m_size = readState(fd, header, state.m_note, take);
  if (::ftruncate(fd, static_cast<off_t>(state.m_size)) != 0) return cannotWrite(file, errno);
  if (state.m_size > 0) return state;
  const int error = writeAt(fd, 0, std::as_bytes(std::span(&header, 1)));
  if (error != 0) return cannotWrite(file, error);
  state.m_size = sizeof header;
  return state;
}

Status ReadingState::append(const ExaminedBlock& block) {
  const Bytes bytes = bytesOf(block);
  if (const int error = writeAt(m_fd.get(), m_size, bytes); error != 0)
    return cannotWrite(m_file, error);
  m_size += bytes.size();
  return {};
}

}  // namespace millrace
