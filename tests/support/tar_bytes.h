// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

namespace millrace::tests {

/// A header and its content in the form of ustar archives.
inline std::string tarMember(const std::string& name, const std::string& content, char type = '0') {
  std::string head(512, '\0');
  head.replace(0, name.size(), name);
  head.replace(100, 8, std::string("0000644\0", 8));
  char size[12];
  std::snprintf(size, sizeof size, "%011zo", content.size());
  head.replace(124, 11, size, 11);
  head[156] = type;
  head.replace(257, 8, std::string("ustar\00000", 8));
  head.replace(148, 8, 8, ' ');
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  char text[8];
  std::snprintf(text, sizeof text, "%06o", sum);
  head.replace(148, 7, std::string(text, 7));
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return head + padded;
}

/// The end of an archive.
inline std::string tarEnd() { return std::string(1024, '\0'); }

}  // namespace millrace::tests
