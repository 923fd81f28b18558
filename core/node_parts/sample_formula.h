// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/spec/infer_context.h"
#include "core/spec/source.h"

namespace millrace::nodes {

// Formulas about a sample, for order nodes. They can use `index`, `label`, `bytes` (of all fields),
// `width`, `height` and `channels` of the picture in its file, and every field that is a single
// number.

/// Reports a formula that cannot be read, or asks for something else.
bool checkSampleFormula(const char* param, const std::string& formula, const char* example,
                        const StreamType& in, InferContext& context);

/// Whether valuesOfSamples() reads samples for this formula, which the check has accepted.
bool formulaReadsSamples(const Source& source, const std::string& formula);

/// The formula's value for each sample that is wanted, by its index; NaN if the sample cannot be
/// read, 0 for the others. A formula that asks for more than `index` and `label` reads the samples,
/// without decoding them, on all cores. `wanted` is called by several threads.
std::vector<double> valuesOfSamples(const Source& source, const std::string& formula,
                                    const std::function<bool(std::uint32_t index)>& wanted);

}  // namespace millrace::nodes
