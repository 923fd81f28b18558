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

/// What a text or path parameter names on disk, for file dialogs. Not checked: a folder may be
/// created when it is needed.
enum class DiskName : std::uint8_t { Nothing, File, Folder, FileOrFolder };

/// A parameter that has an effect only if another parameter of the node has certain values.
struct ParamUse {
  std::string param;
  /// For a Choice: the values with which it has an effect. Otherwise empty: a Boolean must be true,
  /// any other type must differ from its default.
  std::vector<std::string> choices;

  /// Whether `value` of that other parameter, described by `other`, meets the condition.
  bool isMet(const struct ParamSpec& other, const Value& value) const;
  /// "mode is window", "pad is on", "targets is set"; `name` is printed for the parameter.
  std::string text(const struct ParamSpec& other, const std::string& name) const;
};

/// Everything known about one parameter of a node kind: the inspector, JSON, checks, help,
/// documentation and exporters read nothing else.
struct ParamSpec {
  // Defined in the source, so that not every file that describes a kind compiles them again.
  ParamSpec();
  ParamSpec(const ParamSpec&);
  ParamSpec(ParamSpec&&) noexcept;
  ParamSpec& operator=(const ParamSpec&);
  ParamSpec& operator=(ParamSpec&&) noexcept;
  ~ParamSpec();

  std::string name;   ///< key in the file: snake_case
  std::string label;  ///< shown to users
  std::string help;   ///< one or two sentences
  std::string unit;   ///< base unit in the file: "samples", "seconds", "bytes", "pixels", ...
  ParamType type = ParamType::Text;
  Value defaultValue;
  std::optional<double> minimum;  ///< numbers and elements of RealList; inclusive
  std::optional<double> maximum;
  std::vector<std::string> choices;      ///< Choice only, in the order to show
  std::vector<std::string> choiceHelps;  ///< one for each choice, may be empty
  bool live = false;                     ///< may change while a run goes on
  bool isData = false;                   ///< a path that `--data` sets, in declared order
  bool optional = false;                 ///< the empty text or list means "not set"
  bool speedOnly = false;                ///< changes how fast samples come, never a bit of them
  bool isNodes = false;                  ///< ids of nodes of the same pipeline
  DiskName names = DiskName::Nothing;
  std::optional<ParamUse> usedWith;  ///< otherwise it has no effect; nullopt: always used

  /// What is wrong with `value`, which has this type; nullopt if it is valid.
  std::optional<std::string> problemWith(const Value& value) const;
  /// "1 to 1024 threads", "one of nearest, bilinear"; for help and messages.
  std::string allowed() const;
};

}  // namespace millrace
