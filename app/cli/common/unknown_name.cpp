// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/unknown_name.h"

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/spec/meant_word.h"

namespace millrace::cli {

std::string unknownName(const std::string& noun, const std::string& name,
                        const std::vector<std::string>& valid) {
  const std::string none = fmt::format("there is no {} `{}`", noun, singleLine(name));
  if (const std::string like = meantWord(name, valid); !like.empty())
    return fmt::format("{}; did you mean `{}`?", none, like);
  return fmt::format("{}\n    valid: {}", none, trimmed(wrapped(joinWords(valid), 11, 11)));
}

}  // namespace millrace::cli
