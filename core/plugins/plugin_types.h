// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/data/stream_type.h"
#include "core/plugins/millrace_node.h"

namespace millrace {

/// The type for a plug-in. Fails for a name that is too long for it.
Result<millrace_node_type> pluginType(const FieldSpec& field);

/// The field that a plug-in says it makes, which replaces `before` unless that is nullptr. The
/// error says what is no field of the engine.
Result<FieldSpec> fieldOf(const millrace_node_type& type, const FieldSpec* before);

/// The name in it, which need not end.
std::string_view nameIn(const millrace_node_type& type);
/// Whether its sizes are sizes, and not too many elements together.
bool isPossible(const millrace_node_type& type);
/// Whether it has this shape, with all its sizes known.
bool isShape(const millrace_node_type& type, const Shape& shape);
Shape shapeIn(const millrace_node_type& type);
void setShape(millrace_node_type& type, const Shape& shape);

}  // namespace millrace
