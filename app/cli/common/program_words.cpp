// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/program_words.h"

#include <utility>

namespace millrace::cli {

namespace {

std::string& kept() {
  static std::string words = "millrace";
  return words;
}

}  // namespace

const std::string& programWords() { return kept(); }

void setProgramWords(std::string words) { kept() = std::move(words); }

}  // namespace millrace::cli
