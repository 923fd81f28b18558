// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/events/stream/event_reader.h"

namespace millrace {

/// Reads an event of a sweep or a tuning into `event.content`; false if `name` is none of them.
/// For event_reader.cpp.
bool readSearchEvent(const std::string& name, const nlohmann::json& json, StreamEvent& event);

}  // namespace millrace
