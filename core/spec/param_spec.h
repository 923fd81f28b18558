// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/spec/value.h"

namespace millrace {

/// What on the disk a text or a path names, for a person who chooses it there. No check: a folder
/// may be one that is made when it is needed.
enum class DiskName : std::uint8_t { Nothing, File, Folder, FileOrFolder };

/// Another parameter of the node that gives one its meaning.
struct ParamUse {
  std::string param;
  /// Of a Choice: values with which it does. Otherwise empty: a Boolean that is true, anything else
  /// that is not its default.
  std::vector<std::string> choices;

  /// Whether `value` of that parameter, described by `other`, does.
  bool isMet(const struct ParamSpec& other, const Value& value) const;
  /// "mode is window", "pad is on", "targets is set"; `name` stands for the parameter.
  std::string text(const struct ParamSpec& other, const std::string& name) const;
};

/// What there is to know about one parameter of a node kind: the inspector, JSON, checks, help,
/// documentation and exporters all read this and nothing else.
struct ParamSpec {
  std::string name;   ///< key in the file: snake_case
  std::string label;  ///< as a person sees it
  std::string help;   ///< one or two sentences
  std::string unit;   ///< base unit of the file: "samples", "seconds", "bytes", "pixels", ...
  ParamType type = ParamType::Text;
  Value defaultValue;
  std::optional<double> minimum;  ///< numbers and elements of RealList, included
  std::optional<double> maximum;
  std::vector<std::string> choices;      ///< Choice only, in the order to show
  std::vector<std::string> choiceHelps;  ///< one for each choice, may be empty
  bool live = false;                     ///< may change while a run goes on
  bool isData = false;     ///< a path that `--data` sets, in declared order (CONTRACT §9)
  bool optional = false;   ///< the empty text or list means "not set"
  bool speedOnly = false;  ///< changes how fast samples come, never a bit of them
  DiskName names = DiskName::Nothing;
  std::optional<ParamUse> usedWith;  ///< otherwise it changes nothing; absent: always used

  /// What is wrong with `value`, already of this type; nothing when it is fine.
  std::optional<std::string> problemWith(const Value& value) const;
  /// "1 to 1024 threads", "one of nearest, bilinear"; for help and messages.
  std::string allowed() const;
};

}  // namespace millrace
