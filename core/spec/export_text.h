// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/data/stream_type.h"

namespace millrace {

/// One thing that a node does, in the language of a target: an expression or a statement, as that
/// target's exporter asks for by the node's role (core/export/README.md). One line; the exporter
/// breaks it where it is too long.
struct ExportStep {
  std::string code;
  /// Names of the fields that it is confined to; empty: what the code does to a sample by itself.
  std::vector<std::string> fields;
};

/// A constant at the top of the exported file, for a person to change.
struct ExportOption {
  std::string name;     ///< UPPER_CASE
  std::string value;    ///< as source code
  std::string comment;  ///< may be empty; goes behind the value
};

/// What a node contributes to a target's code. Free text in `code` and `value` comes from
/// python_literal.h alone. Value type.
struct ExportText {
  std::vector<ExportStep> steps;
  std::vector<ExportOption> options;
  std::vector<std::string> imports;   ///< whole lines: "import os", "from x import a, b"
  std::vector<std::string> snippets;  ///< definitions needed: files of resources/export/TARGET
  /// What the target does otherwise, in sentences with a full stop: they head the file.
  std::vector<std::string> limits;
  /// Why the target cannot do this node's work at all, as a sentence. The exporter says so at the
  /// head, and the code refuses to start until a person has dealt with it.
  std::string missing;

  ExportText& step(std::string code, std::vector<std::string> fields = {}) {
    return steps.push_back({std::move(code), std::move(fields)}), *this;
  }
  ExportText& option(std::string name, std::string value, std::string comment = {}) {
    options.push_back({std::move(name), std::move(value), std::move(comment)});
    return *this;
  }
  ExportText& import(std::string line) { return imports.push_back(std::move(line)), *this; }
  ExportText& needs(std::string snippet) { return snippets.push_back(std::move(snippet)), *this; }
  ExportText& limit(std::string sentence) { return limits.push_back(std::move(sentence)), *this; }
};

/// Where the node stands that is to be written.
struct ExportContext {
  std::string node;            ///< its id
  std::filesystem::path base;  ///< where relative paths start
  StreamType in;
  StreamType out;
  /// The data was looked at: FieldSpec::scale and classes are those of the data.
  bool dataKnown = false;
  bool noRandom = false;  ///< write the centre of each draw (CONTRACT §6)

  std::vector<std::string> names(const std::vector<std::size_t>& fields) const;
  /// The names of `acted`, or none where they are all the fields of these roles: what
  /// ExportStep::fields wants of code that acts on these roles by itself.
  std::vector<std::string> only(const std::vector<std::size_t>& acted,
                                std::initializer_list<Role> roles) const;
  /// Whether the pictures are known to have one size in each sample.
  bool sameSize(const std::vector<std::size_t>& fields) const;
  /// The probability of a draw as it is to be written: 0 or 1 with `noRandom`.
  double chance(double probability) const {
    return noRandom ? (probability >= 1 ? 1.0 : 0.0) : probability;
  }
};

}  // namespace millrace
