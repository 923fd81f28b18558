// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/record_bytes.h"

namespace millrace::tests {

inline std::string twoBytes(std::uint64_t value) { return littleEndian(value, 2); }
inline std::string fourBytes(std::uint64_t value) { return littleEndian(value, 4); }

/// A .npy file with these texts in its header.
inline std::string npyBytes(const std::string& descr, const std::string& shape,
                            const std::string& data, int version = 1,
                            const std::string& fortran = "False") {
  std::string dict =
      "{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  dict.resize(117, ' ');
  dict += '\n';
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         (version == 1 ? twoBytes(dict.size()) : fourBytes(dict.size())) + dict + data;
}

struct ZipEntry {
  std::string name;
  std::string content;
  std::string deflated = {};  ///< empty: stored
};

inline std::uint32_t plainCrc32(const std::string& bytes) {
  std::uint32_t sum = 0xffffffffU;
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? sum >> 1U ^ 0xedb88320U : sum >> 1U;
  }
  return ~sum;
}

/// A zip archive of these entries.
inline std::string zipBytes(const std::vector<ZipEntry>& entries) {
  std::string zip;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const bool packed = !entry.deflated.empty();
    const std::string& body = packed ? entry.deflated : entry.content;
    const std::string common = twoBytes(0) + twoBytes(packed ? 8 : 0) + fourBytes(0) +
                               fourBytes(plainCrc32(entry.content)) + fourBytes(body.size()) +
                               fourBytes(entry.content.size()) + twoBytes(entry.name.size()) +
                               twoBytes(0);
    directory += "PK\x01\x02" + twoBytes(20) + twoBytes(20) + common + twoBytes(0) + twoBytes(0) +
                 twoBytes(0) + fourBytes(0) + fourBytes(zip.size()) + entry.name;
    zip += "PK\x03\x04" + twoBytes(20) + common + entry.name + body;
  }
  return zip + directory + "PK\x05\x06" + fourBytes(0) + twoBytes(entries.size()) +
         twoBytes(entries.size()) + fourBytes(directory.size()) + fourBytes(zip.size()) +
         twoBytes(0);
}

}  // namespace millrace::tests
