// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>

#include "core/formats/hdf5/hdf5_library.h"
#include "tests/support/lzf_bytes.h"

namespace millrace::tests {

/// While it exists, libhdf5 compresses chunks with LZF like h5py's filter: data that would not
/// shrink is stored unchanged. It does not decompress. It must outlive the files written with it,
/// and does not take the library's lock, like Hdf5Written.
class Hdf5LzfWriting {
 public:
  Hdf5LzfWriting() {
    count() = 0;
    H5Zregister(&kFilter);
  }
  ~Hdf5LzfWriting() { H5Zunregister(kNumber); }
  Hdf5LzfWriting(const Hdf5LzfWriting&) = delete;
  Hdf5LzfWriting& operator=(const Hdf5LzfWriting&) = delete;

  /// Requests the filter.
  static void set(hid_t creation) {
    H5Pset_filter(creation, kNumber, H5Z_FLAG_OPTIONAL, 0, nullptr);
  }
  /// Number of chunks that became smaller.
  static int packed() { return count(); }

 private:
  static constexpr H5Z_filter_t kNumber = 32000;

  static int& count() {
    static int chunks = 0;
    return chunks;
  }
  static std::size_t pack(unsigned flags, std::size_t, const unsigned[], std::size_t bytes,
                          std::size_t*, void** memory) {
    if ((flags & H5Z_FLAG_REVERSE) != 0) return 0;
    const std::string packed = lzfPacked({static_cast<const char*>(*memory), bytes});
    if (packed.size() >= bytes) return 0;
    std::memcpy(*memory, packed.data(), packed.size());
    ++count();
    return packed.size();
  }

  static constexpr H5Z_class2_t kFilter = {H5Z_CLASS_T_VERS, kNumber, 1,   0, "lzf",
                                           nullptr,          nullptr, pack};
};

}  // namespace millrace::tests
