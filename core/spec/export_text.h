// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/data/stream_type.h"

namespace millrace {

/// What a step of a short form does with the numbers of its fields. A writer that knows it moves
/// casts and layouts between steps.
struct StepTraits {
  /// The step works alike on numbers of any type: it only moves them, or computes with them.
  bool anyType = false;
  /// Instead of the code, if the field holds the floats whose bytes the code takes; may be empty.
  std::string ofFloats = {};
  /// Types of what the code gives, and of what the field has to hold: the writer adds the cast.
  /// None: the field keeps its type.
  std::optional<DType> computed = {};
  std::optional<DType> stored = {};
  bool whole = false;    ///< floats without fractions
  bool inRange = false;  ///< and from 0 to 255
  /// Numbers for each channel of a picture, as lists; `{1}`, `{2}`, ... in the code.
  std::vector<std::string> perChannel = {};
  /// In DALI: the variable that says whether to mirror, which is all that the step does.
  std::string mirror = {};
  /// In DALI: the step can also mirror and set the layout, where its code has `{mirror}` and
  /// `{layout}`.
  bool placesPixels = false;
  /// In PyTorch: the statement for one picture `{}`, unless other transforms are next to this one.
  std::string alone = {};
  /// In PyTorch: where a sample has several pictures, the result has a type of torchvision's.
  bool typed = false;
};

/// One action of a node in the target's language: an expression or a statement, depending on what
/// the target's exporter expects for the node's role (core/export/README.md). Written on one line;
/// the exporter wraps long lines.
struct ExportStep {
  /// What a short form may assume of a step.
  enum class Form {
    Anything,    ///< a statement that may change any field, unless `fields` and `traits` say more
    LocalOnly,   ///< a statement that changes no field
    NewValue,    ///< a value that replaces each of `fields`; `{}` is the field
    SampleCall,  ///< like Anything, but a function of a sample
  };
  std::string code;
  /// The fields it is limited to; empty: the code selects the fields itself.
  std::vector<std::string> fields;
  Form form = Form::Anything;
  std::optional<StepTraits> traits = {};
  /// Views of a picture: the code is for the first of `fields`, and is to be applied to each of
  /// them with separate draws.
  bool each = false;
};

/// A constant at the top of the exported file that users are expected to change.
struct ExportOption {
  std::string name;     ///< UPPER_CASE
  std::string value;    ///< as source code
  std::string comment;  ///< may be empty; follows the value
};

/// What a node contributes to a target's code. Free text in `code` and `value` must come from
/// python_literal.h. A value type.
struct ExportText {
  std::vector<ExportStep> steps;
  std::vector<ExportOption> options;
  std::vector<std::string> imports;   ///< whole lines: "import os", "from x import a, b"
  std::vector<std::string> snippets;  ///< required definitions: files in resources/export/TARGET
  /// What the target does differently, in complete sentences; listed at the top of the file.
  std::vector<std::string> limits;
  /// Why the target cannot do this node's work at all, as a sentence. The exporter writes it at the
  /// top, and the code refuses to start until the user has dealt with it.
  std::string missing;

  ExportText& step(std::string code, std::vector<std::string> fields = {});
  ExportText& local(std::string code);
  ExportText& value(std::vector<std::string> fields, std::string code, StepTraits traits = {});
  /// Of the last step.
  ExportText& traits(StepTraits traits);
  ExportText& option(std::string name, std::string value, std::string comment = {});
  ExportText& import(std::string line);
  ExportText& needs(std::string snippet);
  ExportText& limit(std::string sentence);
};

/// The surroundings of the node that is to be exported.
struct ExportContext {
  std::string node;            ///< the node's id
  std::filesystem::path base;  ///< where relative paths start
  StreamType in;
  StreamType out;
  /// The data was examined: FieldSpec::scale and classes describe the actual data.
  bool dataKnown = false;
  /// Of a source, if the data was examined: the name in the files of each of `out`'s fields. Empty:
  /// they have none.
  std::vector<std::string> keys;
  bool noRandom = false;  ///< write the centre of each draw (`--no-random`)

  std::vector<std::string> names(const std::vector<std::size_t>& fields) const;
  /// The names of `acted`, or none if these are all fields of these roles. This is the value for
  /// ExportStep::fields when the code acts on these roles by default.
  std::vector<std::string> only(const std::vector<std::size_t>& acted,
                                std::initializer_list<Role> roles) const;
  /// Whether the pictures of each sample are known to have equal sizes.
  bool sameSize(const std::vector<std::size_t>& fields) const;
  /// The probability to export: 0 or 1 with `noRandom`.
  double chance(double probability) const {
    return noRandom ? (probability >= 1 ? 1.0 : 0.0) : probability;
  }
};

}  // namespace millrace
