// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/pipeline_title.h"

#include "core/base/text/text.h"
#include "core/open/examples.h"
#include "widgets/common/strings.h"

namespace millrace {

QString shownPipeline(std::string_view name) {
  if (name == "-") return "standard input";
  const QString file = toQt(singleLine(name)).section('/', -1);
  return exampleJson(fromQt(file)) ? file + " (example)" : file;
}

}  // namespace millrace
