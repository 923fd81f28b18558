// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/shape.h"
#include "core/own_python/python_function.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

/// What nodes that run a user's Python code have in common: a base of their `Params`.
struct OwnCode {
  std::string file;
  std::string name;  ///< in the file; without one, MODULE:NAME
  std::string python = "python3";
  bool random = true;
  double timeout = 60;
  std::int64_t memoryLimit = 0;
};

/// Whether file and name fit each other. The error is for the user.
Status checkOwnName(const OwnCode& code);

/// The function without its fields and its interpreter. Relative paths start at `base`. Does not
/// look at the disk, because exported code may run on another machine.
Result<PythonFunction> ownFunction(const OwnCode& code, const std::filesystem::path& base);

/// Finds the interpreter, and checks that the file exists.
Status findOnDisk(const OwnCode& code, PythonFunction& function);

/// `own("mine.py", "", "augment"), ("image",), ("image",)` and the arguments that differ from their
/// defaults: those of `call_own` in exported code. `more` comes before the latter.
std::string ownCall(const PythonFunction& function, const std::string& more);

/// Whether a value has the declared shape, in which sizes may be unknown.
bool fits(const Shape& actual, const Shape& declared);

/// The seed of a call, made from the first draws of a sample; nullopt if draws are centred.
std::optional<std::uint64_t> seedOf(Draw draw);

/// The seed of a dataset's sample. It depends on the epoch, and not on the pipeline's seed.
std::optional<std::uint64_t> seedOfItem(std::uint32_t index, const SampleKey& key);

/// The parameters `file`, NAME and `python`; `help` describes NAME.
template <class Params>
void describeOwnCode(Describe<Params>& d, std::string_view name, std::string_view label,
                     std::string_view help) {
  d.path("file", &Params::file)
      .label("File")
      .file()
      .optional()
      .help("The Python file. Without one, the name is MODULE:NAME.");
  d.text(name, &Params::name).label(label).help(help);
  d.text("python", &Params::python)
      .label("Interpreter")
      .help("The Python interpreter that has the packages of the file: a name or a path.");
}

/// The parameters `random`, `timeout` and `memory_limit`.
template <class Params>
void describeOwnLimits(Describe<Params>& d) {
  d.boolean("random", &Params::random)
      .label("Draws random numbers")
      .help("Off: it does the same in each epoch, so a cache may keep its results.");
  d.real("timeout", &Params::timeout)
      .label("Time limit")
      .range(0.1, 86400)
      .unit("seconds")
      .help("A call that takes longer fails, and its process is replaced.");
  d.integer("memory_limit", &Params::memoryLimit)
      .label("Memory limit")
      .atLeast(0)
      .unit("bytes")
      .help("Most memory for the data of each process; 0: no limit.");
}

}  // namespace millrace::nodes
