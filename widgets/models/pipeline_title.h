// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <QString>

namespace millrace {

/// The name of a kept run's pipeline, from what the engine was given: "mine.millrace.json" of a
/// file in any folder, "classification (example)" of a shipped example, whether it was run here or
/// by the command line.
QString shownPipeline(std::string_view name);

}  // namespace millrace
