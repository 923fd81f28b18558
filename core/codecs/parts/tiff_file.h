// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <tiffio.h>

#include "core/base/result.h"

namespace millrace {

/// A TIFF file in memory, opened with libtiff. The library's messages only go to message(). Must
/// not be moved while it is open. For use by one thread.
class TiffFile {
 public:
  TiffFile() = default;
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  /// Opens the first picture. `file` is borrowed until close() or the next open().
  Status open(std::span<const std::byte> file);
  void close() { m_tiff.reset(); }

  TIFF* get() const { return m_tiff.get(); }
  /// The library's last message; empty if there was none.
  const std::string& message() const { return m_message; }
  /// The number of messages, including warnings.
  int complaints() const { return m_complaints; }

 private:
  static int complain(TIFF*, void* self, const char* module, const char* format, va_list values);
  static int warn(TIFF*, void* self, const char* module, const char* format, va_list values);
  static tmsize_t read(thandle_t self, void* to, tmsize_t bytes);
  static tmsize_t write(thandle_t self, void* from, tmsize_t bytes);
  static toff_t seek(thandle_t self, toff_t offset, int from);
  static int closed(thandle_t self);
  static toff_t size(thandle_t self);
  static int map(thandle_t self, void** base, toff_t* size);
  static void unmap(thandle_t self, void* base, toff_t size);

  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };

  std::span<const std::byte> m_file;
  std::size_t m_at = 0;
  std::string m_message;
  int m_complaints = 0;
  std::unique_ptr<TIFF, Close> m_tiff;
};

}  // namespace millrace
