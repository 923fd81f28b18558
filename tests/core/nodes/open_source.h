// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/nodes/builtin.h"
#include "core/spec/node_spec.h"

namespace millrace::tests {

/// The kind's defaults, overridden by `values`.
inline Values valuesOf(const std::string& kind, const Values& values) {
  Values all = builtinCatalog().find(kind)->defaults();
  for (const auto& [name, value] : values) all[name] = value;
  return all;
}

using Opened = Result<std::shared_ptr<const Source>>;

/// Opens a built-in source.
inline Opened openSource(const std::string& kind, const Values& values,
                         const std::filesystem::path& base = {}) {
  BuildContext context;
  context.node = kind;
  context.base = base;
  return builtinCatalog().find(kind)->source(valuesOf(kind, values), context);
}

/// Whether it could not be opened, and the reason contains `part`.
inline bool says(const Opened& source, const char* part) {
  return !source.ok() && source.error().message.find(part) != std::string::npos;
}

/// Creates a built-in index transform.
inline std::shared_ptr<const IndexTransform> makeOrder(const std::string& kind,
                                                       const Values& values) {
  auto op = builtinCatalog().find(kind)->order(valuesOf(kind, values), {});
  return op ? op.take() : nullptr;
}

/// Infers the stream after a built-in node.
inline StreamType inferNode(const std::string& kind, const Values& values, const StreamType& in,
                            Problems& problems) {
  InferContext context(kind, problems);
  return builtinCatalog().find(kind)->infer(valuesOf(kind, values), in, context);
}

}  // namespace millrace::tests
