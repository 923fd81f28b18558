// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy/npy_array.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/npy/zip_directory.h"

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

/// The dict in a header: Python text with exactly three known keys and simple values.
class HeadText {
 public:
  explicit HeadText(std::string_view text) : m_text(text) {}

  /// The text after `'key':`, up to the end of the value.
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
    return Error{"records of named fields are not supported: save each of them as an array"};
  const std::string_view name = descr.substr(1, descr.size() - 2);
  for (const TypeName& type : kNpyTypes)
    if (type.descr == name) return type.dtype;
  if (name.starts_with("|O"))
    return Error{"Python objects are not supported: save an array of numbers"};
  if (name.starts_with("<U") || name.starts_with("|S"))
    return Error{
        fmt::format("texts (`{}`) are not supported: save the numbers of the classes, which "
                    "numpy.unique(x, return_inverse=True) gives",
                    validUtf8(name))};
  if (name.starts_with(">"))
    return Error{fmt::format("big-endian numbers (`{}`) are not supported: save x.astype('<{}')",
                             validUtf8(name), validUtf8(name.substr(1)))};
  return Error{
      fmt::format("elements of type `{}` are not supported; save u1, i1, u2, i2, i4, i8, f2, "
                  "f4 or f8",
                  validUtf8(name))};
}

/// Parses "(3, 4)"; nullopt if it is not a tuple of numbers.
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
  if (!descr || !order || !sizes) return Error{"the header is damaged"};
  MILLRACE_ASSIGN_OR_RETURN(const auto dtype, dtypeOf(*descr));
  if (sizes->empty()) return Error{"a single number is not a list of samples"};
  if (*order == "True" && sizes->size() > 1)
    return Error{
        "the array is in Fortran order, which scatters each sample over the whole array; "
        "save it in C order with np.ascontiguousarray(x)"};
  if (sizes->size() - 1 > Shape::kMaxRank)
    return Error{fmt::format("{} axes are more than the {} that can be read", sizes->size(),
                             Shape::kMaxRank + 1)};
  NpyHead head;
  head.dtype = dtype;
  head.rows = sizes->front();
  std::uint64_t bytes = sizeOf(dtype);
  for (std::size_t i = 1; i < sizes->size(); ++i) {
    const std::uint64_t size = (*sizes)[i];
    if (size > kLargestRow || bytes * std::max<std::uint64_t>(size, 1) > kLargestRow)
      return Error{"a sample has more than 1 GiB"};
    bytes *= size;
    head.row.append(static_cast<std::int64_t>(size));
  }
  if (bytes == 0) return Error{"its samples are empty"};
  return head;
}

/// The array whose header is at `offset`; `size` includes the header.
Result<NpyArray> arrayAt(int fd, std::uint64_t offset, std::uint64_t size) {
  MILLRACE_ASSIGN_OR_RETURN(auto head, readNpyHead(fd, offset, size));
  NpyArray array;
  array.head = head;
  array.fd = fd;
  array.offset = offset + head.bytes;
  const std::uint64_t there = (size - head.bytes) / head.rowBytes();
  if (there < head.rows)
    array.note = fmt::format("truncated: {} of its {} samples are there", grouped(there),
                             grouped(head.rows));
  array.head.rows = std::min(there, head.rows);
  return array;
}

Result<NpyArray> arrayOf(const OpenFile& file, const ZipMember& member) {
  if (member.method == ZipMember::kStored) {
    MILLRACE_ASSIGN_OR_RETURN(const auto offset, zipContent(file, member));
    return arrayAt(file.fd.get(), offset, member.packedSize);
  }
  MILLRACE_ASSIGN_OR_RETURN(auto content, unpackZipMember(file, member));
  auto array = arrayAt(content.fd.get(), 0, content.size);
  if (!array) return array;
  array->unpacked = std::move(content.fd);
  array->note = fmt::format(
      "compressed: its {} are decompressed into a temporary file at every start (np.savez does not "
      "compress)",
      humanBytes(static_cast<double>(content.size)));
  return array;
}

}  // namespace

Result<NpyHead> readNpyHead(int fd, std::uint64_t offset, std::uint64_t size) {
  std::array<std::byte, 12> begin{};
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(fd, offset, begin.data(),
                                                   std::min<std::uint64_t>(begin.size(), size)));
  if (got < begin.size() || std::memcmp(begin.data(), kNpyMagic.data(), kNpyMagic.size()) != 0)
    return Error{"not a .npy file: its signature is missing"};
  const auto version = std::to_integer<unsigned>(begin[6]);
  if (version < 1 || version > 3)
    return Error{fmt::format("version {} of the format is not supported", version)};
  const std::uint64_t at = version == 1 ? 10 : 12;
  const std::uint64_t length = version == 1 ? littleEndian<std::uint16_t>(begin.data() + 8)
                                            : littleEndian<std::uint32_t>(begin.data() + 8);
  if (length > kLongestHead || at + length > size) return Error{"the header is damaged"};
  std::string text(static_cast<std::size_t>(length), ' ');
  MILLRACE_ASSIGN_OR_RETURN(const auto read, readAt(fd, offset + at, text.data(), text.size()));
  if (read < text.size()) return Error{"the header is damaged"};
  auto head = headOf(text);
  if (head) head->bytes = at + length;
  return head;
}

Result<std::vector<NpyArray>> openNpyArrays(const OpenFile& file, std::vector<std::string>& notes) {
  std::vector<NpyArray> arrays;
  std::array<char, 4> begin{};
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(file.fd.get(), 0, begin.data(), begin.size()));
  const std::string_view seen(begin.data(), got);
  if (!seen.starts_with("PK")) {
    MILLRACE_ASSIGN_OR_RETURN(auto array, arrayAt(file.fd.get(), 0, file.size));
    arrays.push_back(std::move(array));
    return arrays;
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto members, readZipDirectory(file));
  for (const ZipMember& member : members) {
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
    return Error{notes.empty() ? "it contains no array"
                               : "it contains no array that can be read: " + notes.front()};
  return arrays;
}

}  // namespace millrace
