// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/tiff_file.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace millrace {

namespace {

/// Only an invalid header makes the library allocate more at once.
constexpr tmsize_t kLargestAllocation = tmsize_t{1} << 30;

struct FreeOptions {
  void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

}  // namespace

int TiffFile::complain(TIFF*, void* self, const char*, const char* format, va_list values) {
  std::array<char, 256> text{};
  std::vsnprintf(text.data(), text.size(), format, values);
  static_cast<TiffFile*>(self)->m_message = text.data();
  ++static_cast<TiffFile*>(self)->m_complaints;
  return 1;  // Stops libtiff's other handlers.
}

int TiffFile::warn(TIFF*, void* self, const char*, const char*, va_list) {
  ++static_cast<TiffFile*>(self)->m_complaints;
  return 1;
}

tmsize_t TiffFile::read(thandle_t self, void* to, tmsize_t bytes) {
  auto& file = *static_cast<TiffFile*>(self);
  const std::size_t left = file.m_file.size() - std::min(file.m_at, file.m_file.size());
  const std::size_t count = std::min(left, static_cast<std::size_t>(std::max<tmsize_t>(bytes, 0)));
  if (count > 0) std::memcpy(to, file.m_file.data() + file.m_at, count);
  file.m_at += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t TiffFile::write(thandle_t, void*, tmsize_t) { return 0; }

toff_t TiffFile::seek(thandle_t self, toff_t offset, int from) {
  auto& file = *static_cast<TiffFile*>(self);
  const toff_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? file.m_at : file.m_file.size();
  file.m_at = base + offset;
  return file.m_at;
}

int TiffFile::closed(thandle_t) { return 0; }

toff_t TiffFile::size(thandle_t self) { return static_cast<TiffFile*>(self)->m_file.size(); }

int TiffFile::map(thandle_t self, void** base, toff_t* size) {
  // The library does not write to a file that was opened for reading.
  const auto& file = static_cast<TiffFile*>(self)->m_file;
  *base = const_cast<std::byte*>(file.data());
  *size = file.size();
  return 1;
}

void TiffFile::unmap(thandle_t, void*, toff_t) {}

Status TiffFile::open(std::span<const std::byte> file) {
  close();
  m_file = file;
  m_at = 0;
  m_message.clear();
  const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  if (!options) return Error{"not enough memory for a TIFF decoder"};
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), complain, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), warn, this);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kLargestAllocation);
  m_tiff.reset(
      TIFFClientOpenExt("", "r", this, read, write, seek, closed, size, map, unmap, options.get()));
  if (m_tiff) return {};
  return Error{"damaged TIFF: " + (m_message.empty() ? "it has no picture" : m_message)};
}

}  // namespace millrace
