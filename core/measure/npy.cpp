// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/npy.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "core/base/whole_file.h"

namespace millrace {

namespace {

const char* descriptorOf(DType dtype) {
  switch (dtype) {
    case DType::U8:
    case DType::Encoded: return "|u1";
    case DType::I8: return "|i1";
    case DType::U16:
    case DType::BF16: return "<u2";
    case DType::I16: return "<i2";
    case DType::I32: return "<i4";
    case DType::I64: return "<i8";
    case DType::F16: return "<f2";
    case DType::F32: return "<f4";
    case DType::F64: return "<f8";
  }
  return "|u1";
}

std::string headerOf(DType dtype, const Shape& shape) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += fmt::format("{}, ", size);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   descriptorOf(dtype), sizes);
  // Magic, version and length take 10 bytes; the whole header is a multiple of 64 bytes and ends in
  // \n.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  return header + '\n';
}

/// Writes to `part`; an error names `file`.
Status writeNpyAs(const std::filesystem::path& part, const std::filesystem::path& file, DType dtype,
                  const Shape& shape, std::span<const std::byte> content) {
  const std::string header = headerOf(dtype, shape);
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  const char head[] = {'\x93',
                       'N',
                       'U',
                       'M',
                       'P',
                       'Y',
                       1,
                       0,
                       static_cast<char>(header.size() & 0xffU),
                       static_cast<char>(header.size() >> 8U)};
  out.write(head, sizeof head);
  out << header;
  out.write(reinterpret_cast<const char*>(content.data()),
            static_cast<std::streamsize>(content.size()));
  out.flush();
  if (!out)
    return Error{fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno))};
  return {};
}

}  // namespace

Status writeNpy(const std::filesystem::path& file, DType dtype, const Shape& shape,
                std::span<const std::byte> content) {
  return replaceFile(file, [&](const std::filesystem::path& part) {
    return writeNpyAs(part, file, dtype, shape, content);
  });
}
}  // namespace millrace
