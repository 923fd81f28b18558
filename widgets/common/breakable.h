// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace millrace {

/// The text with places where a line may break inside long words, such as paths, which word wrap
/// alone would cut. For painting only: it looks like `text`, but has more characters.
QString breakable(const QString& text);

}  // namespace millrace
