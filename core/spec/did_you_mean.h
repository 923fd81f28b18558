// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/catalog.h"

namespace millrace {

// Hints for names that do not exist. Pure functions; any thread.

/// "did you mean `x`?", or a list of the valid words.
std::string didYouMean(std::string_view word, const std::vector<std::string>& valid);

/// Whether other frameworks call the parameter so (other_names.def); in lower case.
bool isOtherName(std::string_view kind, std::string_view param, std::string_view word);

/// The parameters that `word` may mean: those that other frameworks call so, otherwise the one
/// with the most similar name. Empty: none.
std::vector<std::string> paramsLike(const NodeSpec& spec, std::string_view word);
/// "did you mean `height` or `width`?", or a list of the kind's parameters.
std::string paramHint(const NodeSpec& spec, std::string_view word);

/// The kind that `word` may mean: one with a similar name, or the only one with this tag
/// ("RandomHorizontalFlip"). Empty: none.
std::string kindLike(const Catalog& catalog, std::string_view word);
/// "did you mean `flip`?", or a list of the kinds, and refusedHint().
std::string kindHint(const Catalog& catalog, std::string_view word);
/// The plug-ins that were refused, since a missing kind may be theirs: "; these plug-ins were
/// refused: ...". Empty: none.
std::string refusedHint(const Catalog& catalog);

}  // namespace millrace
