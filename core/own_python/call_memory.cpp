// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/own_python/call_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace millrace {

namespace {

struct CallHeader {
  std::uint64_t seed = 0;
  std::uint32_t fields = 0;
  /// Of a call: 1 if all draws are centred. Of an answer: the length of an error's text.
  std::uint32_t more = 0;
};

struct CallField {
  std::uint32_t dtype = 0;
  std::uint32_t rank = 0;
  std::uint32_t layout = 0;
  std::uint32_t unused = 0;
  std::uint64_t place = 0;
  std::uint64_t bytes = 0;
  std::array<std::int64_t, Shape::kMaxRank> sizes{};
};

constexpr std::size_t kFieldsAt = 64;
constexpr std::size_t kFieldStride = 96;
constexpr std::size_t kDataAt = 6272;
static_assert(sizeof(CallHeader) <= kFieldsAt && sizeof(CallField) <= kFieldStride);
static_assert(kFieldsAt + CallMemory::kMostFields * kFieldStride <= kDataAt && kDataAt % 64 == 0);

std::size_t alignedPlace(std::size_t place) { return (place + 63) & ~std::size_t{63}; }

Error noCallMemory(const char* what) {
  return Error{fmt::format("no memory to share with Python: {}: {}", what, std::strerror(errno))};
}

Error wrongResult() { return Error{"the process of the function wrote an invalid result"}; }

/// Bytes of a result, or nullopt if its description is impossible.
std::optional<std::uint64_t> bytesOf(const CallField& field) {
  const auto most = static_cast<std::uint32_t>(DType::F64);
  if (field.dtype > most || field.dtype == static_cast<std::uint32_t>(DType::BF16)) return {};
  if (field.rank > Shape::kMaxRank) return {};
  std::uint64_t bytes = sizeOf(static_cast<DType>(field.dtype));
  for (std::size_t i = 0; i < field.rank; ++i)
    if (field.sizes[i] < 0 ||
        __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(field.sizes[i]), &bytes))
      return {};
  return bytes;
}

}  // namespace

Result<CallMemory> CallMemory::make() {
  CallMemory memory;
  memory.m_file = UniqueFd(::memfd_create("millrace-call", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.m_file.valid()) return noCallMemory("memfd_create");
  MILLRACE_TRY(memory.fit(kDataAt));
  // So that reading it cannot fail with a signal.
  if (::fcntl(memory.m_file.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) return noCallMemory("fcntl");
  return memory;
}

CallMemory::CallMemory(CallMemory&& other) noexcept
    : m_file(std::move(other.m_file)),
      m_begin(std::exchange(other.m_begin, nullptr)),
      m_bytes(std::exchange(other.m_bytes, 0)) {}

CallMemory::~CallMemory() {
  if (m_begin != nullptr) ::munmap(m_begin, m_bytes);
}

Status CallMemory::fit(std::size_t bytes) {
  if (bytes <= m_bytes) return {};
  struct stat now{};
  if (::fstat(m_file.get(), &now) != 0) return noCallMemory("fstat");
  if (static_cast<std::size_t>(now.st_size) < bytes &&
      ::ftruncate(m_file.get(), static_cast<off_t>(bytes)) != 0)
    return noCallMemory("ftruncate");
  // Mapped again instead of by mremap, which the thread sanitizer does not know.
  void* begin = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), 0);
  if (begin == MAP_FAILED) return noCallMemory("mmap");
  if (m_begin != nullptr) ::munmap(m_begin, m_bytes);
  m_begin = static_cast<std::byte*>(begin);
  m_bytes = bytes;
  return {};
}

Status CallMemory::put(std::span<const TensorView> values, std::optional<std::uint64_t> seed) {
  MILLRACE_CHECK(values.size() <= kMostFields, "a function takes at most 64 fields");
  std::size_t end = kDataAt;
  for (const TensorView& value : values) end = alignedPlace(end) + value.bytes;
  MILLRACE_TRY(fit(end));
  end = kDataAt;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorView& value = values[i];
    CallField field{static_cast<std::uint32_t>(value.dtype),
                    static_cast<std::uint32_t>(value.shape.rank()),
                    static_cast<std::uint32_t>(value.layout),
                    0,
                    alignedPlace(end),
                    value.bytes,
                    {}};
    std::copy(value.shape.begin(), value.shape.end(), field.sizes.begin());
    if (value.dtype == DType::Encoded) {
      field.rank = 1;
      field.sizes[0] = static_cast<std::int64_t>(value.bytes);
    }
    std::memcpy(m_begin + kFieldsAt + i * kFieldStride, &field, sizeof field);
    if (value.bytes > 0) std::memcpy(m_begin + field.place, value.data, value.bytes);
    end = field.place + value.bytes;
  }
  const CallHeader header{seed.value_or(0), static_cast<std::uint32_t>(values.size()),
                          seed ? 0U : 1U};
  std::memcpy(m_begin, &header, sizeof header);
  return {};
}

Status CallMemory::checkBytes(std::uint64_t bytes) {
  struct stat now{};
  if (::fstat(m_file.get(), &now) != 0) return noCallMemory("fstat");
  if (bytes > static_cast<std::uint64_t>(now.st_size)) return wrongResult();
  return fit(bytes);
}

Result<std::vector<TensorView>> CallMemory::results(std::uint64_t bytes) {
  if (bytes > m_bytes) MILLRACE_TRY(checkBytes(bytes));
  CallHeader header;
  std::memcpy(&header, m_begin, sizeof header);
  if (header.fields > kMostFields) return wrongResult();
  std::vector<TensorView> views;
  for (std::size_t i = 0; i < header.fields; ++i) {
    CallField field;
    std::memcpy(&field, m_begin + kFieldsAt + i * kFieldStride, sizeof field);
    const auto size = bytesOf(field);
    if (!size || *size != field.bytes || field.place < kDataAt || field.place > m_bytes ||
        field.bytes > m_bytes - field.place)
      return wrongResult();
    TensorView& view = views.emplace_back();
    view.dtype = static_cast<DType>(field.dtype);
    for (std::size_t k = 0; k < field.rank; ++k) view.shape.append(field.sizes[k]);
    view.data = m_begin + field.place;
    view.bytes = field.bytes;
  }
  return views;
}

Result<std::string> CallMemory::error(std::uint64_t bytes) {
  if (bytes > m_bytes) MILLRACE_TRY(checkBytes(bytes));
  CallHeader header;
  std::memcpy(&header, m_begin, sizeof header);
  if (header.more > m_bytes - kDataAt) return wrongResult();
  return std::string(reinterpret_cast<const char*>(m_begin + kDataAt), header.more);
}

}  // namespace millrace
