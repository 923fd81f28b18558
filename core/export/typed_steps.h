// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/spec/export_text.h"

namespace millrace {

/// How a target writes what placeCasts() decides.
struct CastTexts {
  /// The value as numbers of the type `stored`.
  std::string (*cast)(const std::string& value, const StepTraits& traits);
  /// The value, limited to 0 to 255.
  std::string (*clip)(const std::string& value);
};

/// Whether a step may change, or depend on the types of, one of these fields.
bool touches(const ExportStep& step, const std::vector<std::string>& fields);

/// The last step that touches a field; null: none.
ExportStep* lastTouching(std::vector<ExportStep>& steps, const std::string& field);

/// Decides where casts are, and makes them part of the codes:
/// - Pictures of whole floats that would become bytes and then floats again stay floats.
/// - A cast to a larger type goes after the steps that only move numbers, which then move fewer
/// bytes. The values are the same as with a cast where each step computes.
void placeCasts(std::vector<ExportStep>& steps, const CastTexts& texts);

/// Makes the channels of these fields planes, by the value `planes`. Before a field's last step if
/// that has numbers for each channel: those for each plane are subtracted several times as fast as
/// those that alternate along a row. Others at the end. With `back`, which makes channels the last
/// axis again, they are planes for such a last step only.
void addPlanes(std::vector<ExportStep>& steps, std::vector<std::string> fields,
               const std::string& planes, const std::string& back = {});

/// The statement of a step: of a value, that which replaces its fields.
std::string statementOf(const ExportStep& step);

}  // namespace millrace
