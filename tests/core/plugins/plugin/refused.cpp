// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Plug-ins for tests that are refused, each by its define.
#include <iterator>
#include <stdexcept>

#include "core/plugins/millrace_node.h"

#ifdef REFUSED_EXPORTS_NOTHING
extern "C" int other_function() { return 0; }
#else

namespace {

[[maybe_unused]] int same(void*, const millrace_node_sample*, char*, std::size_t) { return 0; }

#ifndef REFUSED_ABI
#define REFUSED_ABI MILLRACE_NODE_ABI
#endif
#ifndef REFUSED_NAME
#define REFUSED_NAME "refused"
#endif
#ifndef REFUSED_PROCESS
#define REFUSED_PROCESS same
#endif

const millrace_node_kind kKinds[] = {
#ifdef REFUSED_JSON
    {R"({"kind": "bad_one", "label": )", nullptr, nullptr, nullptr, REFUSED_PROCESS, nullptr,
     nullptr},
#endif
    {R"({"kind": "flip", "label": "Flip", "help": "Flips.", "roles": ["image"]})", nullptr, nullptr,
     nullptr, REFUSED_PROCESS, nullptr, nullptr},
    {R"({"kind": "good_one", "label": "Good", "help": "Good.", "roles": ["image"]})", nullptr,
     nullptr, nullptr, REFUSED_PROCESS, nullptr, nullptr},
};

const millrace_node_plugin kPlugin = {REFUSED_ABI, sizeof(millrace_node_kind), REFUSED_NAME,
                                      "1.0",       std::size(kKinds),          kKinds};

}  // namespace

const millrace_node_plugin* millrace_nodes() {
#ifdef REFUSED_THROWS
  throw std::runtime_error("not today");
#endif
#ifdef REFUSED_NO_TABLE
  return nullptr;
#endif
  return &kPlugin;
}

#endif
