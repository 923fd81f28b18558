// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/data_page.h"

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"

namespace millrace::cli {

std::string dataRow(std::string_view name, std::string_view text) {
  return labelled(name, visibleName(text), kDataIndent);
}

std::string fieldsText(const std::vector<FieldSpec>& fields) {
  std::vector<std::string> texts;
  for (const FieldSpec& field : fields)
    texts.push_back(fmt::format("{} ({})", field.text(), nameOf(field.role)));
  return join(texts, "; ");
}

}  // namespace millrace::cli
