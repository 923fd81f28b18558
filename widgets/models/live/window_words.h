// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

namespace millrace {

/// A sentence of the engine in the window's words: a node's id in backticks becomes its title,
/// other backticks vanish, and a hint at a command or an option in brackets is left out. `titleOf`
/// returns an empty text for what is no node; without it, ids stay.
QString windowWords(const QString& text, const std::function<QString(const QString&)>& titleOf);

}  // namespace millrace
