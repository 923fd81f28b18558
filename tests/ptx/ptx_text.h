// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::ptx {

/// PTX as text (PTX ISA, "Syntax"): the content of a module, and a function's statements with their
/// operands resolved to registers. It does not know what instructions do.

/// Text that is not understood; the message quotes it and states its line.
struct NotUnderstood : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Type {
  enum class Kind : std::uint8_t { Predicate, Bits, Unsigned, Signed, Float, BFloat };
  Kind kind = Kind::Bits;
  std::uint8_t bytes = 0;  ///< 0: a predicate

  bool isFloat() const { return kind == Kind::Float; }
  bool isSigned() const { return kind == Kind::Signed; }
  bool operator==(const Type&) const = default;
};
/// Parses "u32", "f64", "pred"; false if it is not a type.
bool typeOf(std::string_view name, Type& type);

struct Operand {
  enum class Form : std::uint8_t { Register, Sink, Immediate, Symbol, Special, Vector, Memory };
  Form form = Form::Sink;
  std::string_view name;       ///< of a symbol or special register; for memory of its base symbol
  std::uint32_t number = 0;    ///< of the register, or of a memory operand's base register
  std::uint32_t second = 0;    ///< for `a|p`: number of p, plus 1
  std::uint64_t bits = 0;      ///< of an immediate; for memory its offset
  bool isDouble = false;       ///< an immediate written as 0d...: f64
  bool isNegated = false;      ///< `!p`
  std::vector<Operand> parts;  ///< elements of a vector, or of the parentheses of a call
};

struct Statement {
  int line = 0;
  std::string_view text;    ///< the complete opcode
  std::string_view opcode;  ///< its first part
  std::vector<std::string_view> modifiers;
  std::vector<Operand> operands;
  std::uint32_t guard = 0;  ///< number of the predicate, plus 1
  bool guardNot = false;
};

/// Memory with a name: a parameter, or a variable of a space.
struct Variable {
  std::string_view name;
  std::string_view space;  ///< "param", "local", "shared", "const", "global"
  std::size_t align = 1;
  std::size_t bytes = 0;  ///< 0: as many as the launch specifies
  bool isExtern = false;
  std::vector<std::byte> initial;
};

struct Function {
  std::string_view name;
  bool isEntry = false;
  int line = 0;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  std::vector<Type> registers;  ///< by number
  std::vector<Variable> variables;
  std::vector<Statement> statements;
  std::map<std::string_view, std::uint32_t> labels;  ///< to the following statement
  int mostThreads = 0;                               ///< product of .maxntid; 0 if it is missing
  int leastBlocks = 0;                               ///< .minnctapersm
};

/// The module of one compilation. Functions are parsed when they are requested: a kernel may have
/// ten thousand lines, and most are never launched. For use by one thread at a time.
class Module {
 public:
  explicit Module(std::string text);

  /// nullptr if there is none.
  const Function* function(std::string_view name);
  const std::vector<Variable>& variables() const { return m_variables; }
  std::string_view lineText(int line) const;
  int target() const { return m_target; }  ///< 90 for `.target sm_90`

 private:
  struct Place {
    std::string_view text;
    int line;
  };
  void readTop();
  std::size_t readDirective(std::size_t at, int line);

  const std::string m_text;
  int m_target = 0;
  std::map<std::string_view, Place> m_places;
  std::map<std::string_view, std::unique_ptr<Function>> m_functions;
  std::vector<Variable> m_variables;
};

}  // namespace millrace::ptx
