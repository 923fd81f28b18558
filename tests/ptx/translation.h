// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/ptx/program.h"
#include "tests/ptx/ptx_text.h"

namespace millrace::ptx {

/// A function that is being translated to a program, as the makers of instructions see it.
/// Registers have offsets by their declared width; if an instruction works in another width, its
/// operand is narrowed or its result widened by a separate instruction.
class Translation {
 public:
  Translation(Module& module, const Function& entry);
  Program translate();

  const Statement& statement() const { return *m_statement; }
  const Operand& operand(std::size_t index) const;
  std::size_t operandCount() const { return m_statement->operands.size(); }

  /// The modifiers that are types, in order.
  Type type(std::size_t index) const;
  std::size_t typeCount() const { return m_types.size(); }
  bool has(std::string_view modifier) const;
  /// Every modifier must be a type or in this list; otherwise the instruction is not understood.
  void allow(std::initializer_list<std::string_view> modifiers) const;
  [[noreturn]] void unknown(const std::string& why = "unknown instruction") const;

  /// The offset of the operand's value with `bytes` per lane (0: a predicate).
  std::uint32_t source(const Operand& operand, std::uint8_t bytes);
  /// The offset for a result of `type`; finish() then sets the register.
  std::uint32_t result(const Operand& operand, Type type);
  /// Its width in bytes; 0 for a predicate.
  std::uint8_t widthOf(const Operand& operand) const;
  std::uint32_t constant(std::uint64_t value, std::uint8_t bytes);
  std::uint32_t predicate(std::uint32_t number);
  std::uint32_t scratch(std::uint8_t bytes);
  Instruction& emit(Handler run);
  /// Emits the instructions that widen this statement's results.
  void finish();

  /// The offset of a symbol within its space; a generic address if the space's window is included.
  struct Symbol {
    std::string_view space;
    std::uint64_t address = 0;
  };
  Symbol symbol(std::string_view name) const;
  void jumpTo(Instruction& instruction, std::string_view label);
  void call();
  bool isInlined() const { return m_frames.size() > 1; }
  void leave(Instruction& instruction);

 private:
  struct Frame {
    const Function* function;
    std::vector<std::uint32_t> registers;  ///< offsets
    std::map<std::string_view, Symbol> symbols;
    std::vector<std::uint32_t> starts;                         ///< of statements
    std::vector<std::pair<std::size_t, std::uint32_t>> jumps;  ///< instruction, statement
    std::vector<std::size_t> leaves;
  };
  struct Widening {
    Type type;
    std::uint32_t from;
    std::uint32_t to;
    std::uint8_t bytes;
  };
  void enter(const Function& function);
  void body();
  void one(const Statement& statement);
  void place(const Variable& variable, std::size_t& bytes, Frame& frame, std::uint64_t window = 0);

  Module& m_module;
  const Function& m_entry;
  Program m_program;
  std::vector<Frame> m_frames;
  const Statement* m_statement = nullptr;
  std::vector<Type> m_types;
  std::vector<Widening> m_widenings;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::uint32_t> m_constants;
  std::map<std::string_view, Symbol> m_symbols;
};

/// The offset of a memory operand's address (64 bits), and what must be added to the address.
std::uint32_t addressOf(Translation& translation, const Operand& memory, std::uint64_t& offset);

/// Creates the instructions of the current statement.
using Maker = void (*)(Translation& translation);
/// By opcode, for each file of instructions.
using Makers = std::map<std::string_view, Maker>;
void addIntegerMakers(Makers& makers);
void addBitMakers(Makers& makers);
void addFloatMakers(Makers& makers);
void addCompareMakers(Makers& makers);
void addConversionMakers(Makers& makers);
void addMoveMakers(Makers& makers);
void addMemoryMakers(Makers& makers);
void addAtomicMakers(Makers& makers);
void addControlMakers(Makers& makers);

}  // namespace millrace::ptx
