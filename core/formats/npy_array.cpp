// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy_array.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text.h"
#include "core/formats/zip_directory.h"

namespace millrace {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::uint64_t kLongestHead = 1U << 16U;
constexpr std::uint64_t kLargestRow = std::uint64_t{1} << 30U;

struct TypeName {
  std::string_view descr;
  DType dtype;
};
constexpr std::array<TypeName, 12> kNpyTypes = {{{"|u1", DType::U8},
                                                 {"|b1", DType::U8},
                                                 {"|i1", DType::I8},
                                                 {"<u1", DType::U8},
                                                 {"<i1", DType::I8},
                                                 {"<u2", DType::U16},
                                                 {"<i2", DType::I16},
                                                 {"<i4", DType::I32},
                                                 {"<i8", DType::I64},
                                                 {"<f2", DType::F16},
                                                 {"<f4", DType::F32},
                                                 {"<f8", DType::F64}}};

/// The dict of a head: Python text of which just three keys with plain values are known.
class HeadText {
 public:
  explicit HeadText(std::string_view text) : m_text(text) {}

  /// What stands behind `'key':`, up to what ends it.
  std::optional<std::string_view> value(std::string_view key) const {
    const std::string quoted = "'" + std::string(key) + "':";
    const std::size_t at = m_text.find(quoted);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = trimmed(m_text.substr(at + quoted.size()));
    if (rest.empty()) return std::nullopt;
    if (rest.front() == '(') return rest.substr(0, std::min(rest.find(')'), rest.size() - 1) + 1);
    if (rest.front() == '[') return rest.substr(0, 40);
    return trimmed(rest.substr(0, rest.find_first_of(",}")));
  }

 private:
  std::string_view m_text;
};

Result<DType> dtypeOf(std::string_view descr) {
  if (descr.empty() || descr.front() != '\'')
    return Error{"records of named fields are not read: save each of them as an array"};
  const std::string_view name = descr.substr(1, descr.size() - 2);
  for (const TypeName& type : kNpyTypes)
    if (type.descr == name) return type.dtype;
  if (name.starts_with("|O")) return Error{"Python objects are not read: save an array of numbers"};
  if (name.starts_with(">"))
    return Error{fmt::format("big-endian numbers (`{}`) are not read: save x.astype('<{}')",
                             validUtf8(name), validUtf8(name.substr(1)))};
  return Error{
      fmt::format("elements of type `{}` are not read; save u1, i1, u2, i2, i4, i8, f2, "
                  "f4 or f8",
                  validUtf8(name))};
}

/// Sizes of "(3, 4)"; nothing where it is no tuple of numbers.
std::optional<std::vector<std::uint64_t>> sizesOf(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
  std::vector<std::uint64_t> sizes;
  for (const std::string& part : split(text.substr(1, text.size() - 2), ',')) {
    const std::string_view digits = trimmed(part);
    if (digits.empty()) continue;
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    sizes.push_back(size);
  }
  return sizes;
}

Result<NpyHead> headOf(std::string_view text) {
  const HeadText dict(text);
  const auto descr = dict.value("descr");
  const auto order = dict.value("fortran_order");
  const auto shape = dict.value("shape");
  const auto sizes = shape ? sizesOf(*shape) : std::nullopt;
  if (!descr || !order || !sizes) return Error{"the head is damaged"};
  const auto dtype = dtypeOf(*descr);
  if (!dtype) return dtype.error();
  if (sizes->empty()) return Error{"a single number is no list of samples"};
  if (*order == "True" && sizes->size() > 1)
    return Error{
        "the array is in Fortran order: each sample's numbers lie scattered over the whole of it; "
        "save it anew in C order, as np.ascontiguousarray(x)"};
  if (sizes->size() - 1 > Shape::kMaxRank)
    return Error{fmt::format("{} axes are more than the {} that can be read", sizes->size(),
                             Shape::kMaxRank + 1)};
  NpyHead head;
  head.dtype = *dtype;
  head.rows = sizes->front();
  std::uint64_t bytes = sizeOf(*dtype);
  for (std::size_t i = 1; i < sizes->size(); ++i) {
    const std::uint64_t size = (*sizes)[i];
    if (size > kLargestRow || bytes * std::max<std::uint64_t>(size, 1) > kLargestRow)
      return Error{"a sample of it has more than 1 GiB"};
    bytes *= size;
    head.row.append(static_cast<std::int64_t>(size));
  }
  if (bytes == 0) return Error{"its samples are empty"};
  return head;
}

/// An array whose head is at `offset`, of `size` bytes with the head.
Result<NpyArray> arrayAt(int fd, std::uint64_t offset, std::uint64_t size) {
  auto head = readNpyHead(fd, offset, size);
  if (!head) return head.error();
  NpyArray array;
  array.head = *head;
  array.fd = fd;
  array.offset = offset + head->bytes;
  const std::uint64_t there = (size - head->bytes) / head->rowBytes();
  if (there < head->rows)
    array.note = fmt::format("cut short: {} of its {} samples are there", grouped(there),
                             grouped(head->rows));
  array.head.rows = std::min(there, head->rows);
  return array;
}

Result<NpyArray> arrayOf(const OpenFile& file, const ZipMember& member) {
  if (member.method == ZipMember::kStored) {
    const auto offset = zipContent(file, member);
    if (!offset) return offset.error();
    return arrayAt(file.fd.get(), *offset, member.packedSize);
  }
  auto content = unpackZipMember(file, member);
  if (!content) return content.error();
  auto array = arrayAt(content->fd.get(), 0, content->size);
  if (!array) return array;
  array->unpacked = std::move(content->fd);
  array->note = fmt::format(
      "packed: its {} were unpacked into a temporary file, at every start anew (np.savez packs "
      "nothing)",
      humanBytes(static_cast<double>(content->size)));
  return array;
}

}  // namespace

Result<NpyHead> readNpyHead(int fd, std::uint64_t offset, std::uint64_t size) {
  std::array<std::byte, 12> begin{};
  const auto got = readAt(fd, offset, begin.data(), std::min<std::uint64_t>(begin.size(), size));
  if (!got) return got.error();
  if (*got < begin.size() || std::memcmp(begin.data(), kNpyMagic.data(), kNpyMagic.size()) != 0)
    return Error{"no .npy file: it does not begin as one"};
  const auto version = std::to_integer<unsigned>(begin[6]);
  if (version < 1 || version > 3)
    return Error{fmt::format("version {} of the format is not known", version)};
  const std::uint64_t at = version == 1 ? 10 : 12;
  const std::uint64_t length = version == 1 ? littleEndian<std::uint16_t>(begin.data() + 8)
                                            : littleEndian<std::uint32_t>(begin.data() + 8);
  if (length > kLongestHead || at + length > size) return Error{"the head is damaged"};
  std::string text(static_cast<std::size_t>(length), ' ');
  const auto read = readAt(fd, offset + at, text.data(), text.size());
  if (!read) return read.error();
  if (*read < text.size()) return Error{"the head is damaged"};
  auto head = headOf(text);
  if (head) head->bytes = at + length;
  return head;
}

Result<std::vector<NpyArray>> openNpyArrays(const OpenFile& file, std::vector<std::string>& notes) {
  std::vector<NpyArray> arrays;
  std::array<char, 4> begin{};
  const auto got = readAt(file.fd.get(), 0, begin.data(), begin.size());
  if (!got) return got.error();
  const std::string_view seen(begin.data(), *got);
  if (!seen.starts_with("PK")) {
    auto array = arrayAt(file.fd.get(), 0, file.size);
    if (!array) return array.error();
    arrays.push_back(array.take());
    return arrays;
  }
  const auto members = readZipDirectory(file);
  if (!members) return members.error();
  for (const ZipMember& member : *members) {
    if (!member.name.ends_with(".npy")) continue;
    const std::string name = member.name.substr(0, member.name.size() - 4);
    auto array = arrayOf(file, member);
    if (!array) {
      notes.push_back(fmt::format("{} left out: {}", validUtf8(name), array.error().message));
      continue;
    }
    array->name = name;
    arrays.push_back(array.take());
  }
  if (arrays.empty())
    return Error{notes.empty() ? "it holds no array"
                               : "it holds no array that can be read: " + notes.front()};
  return arrays;
}

}  // namespace millrace
