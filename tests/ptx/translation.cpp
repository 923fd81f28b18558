// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/translation.h"

#include <algorithm>

#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

/// Registers start where lanes of any width are aligned.
constexpr std::size_t kRegisterAlignment = 64;

const Makers& allMakers() {
  static const Makers makers = [] {
    Makers all;
    addIntegerMakers(all);
    addBitMakers(all);
    addFloatMakers(all);
    addCompareMakers(all);
    addConversionMakers(all);
    addMoveMakers(all);
    addMemoryMakers(all);
    addAtomicMakers(all);
    addControlMakers(all);
    return all;
  }();
  return makers;
}

std::size_t alignedTo(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

template <class To, class From>
void widen(Warp& warp, const Instruction& i) {
  To* const to = warp.lanes<To>(i.d);
  const From* const from = warp.lanes<From>(i.a);
  warp.each([=](int lane) { to[lane] = static_cast<To>(from[lane]); });
}

template <class From>
Handler widenFrom(std::uint8_t bytes) {
  switch (bytes) {
    case 1: return &widen<std::uint8_t, From>;
    case 2: return &widen<std::uint16_t, From>;
    case 4: return &widen<std::uint32_t, From>;
    default: return &widen<std::uint64_t, From>;
  }
}

/// Converts a value of this type to an integer with this many bytes, which may be fewer.
Handler widening(Type type, std::uint8_t bytes) {
  switch (type.bytes) {
    case 1: return type.isSigned() ? widenFrom<std::int8_t>(bytes) : widenFrom<std::uint8_t>(bytes);
    case 2:
      return type.isSigned() ? widenFrom<std::int16_t>(bytes) : widenFrom<std::uint16_t>(bytes);
    case 4:
      return type.isSigned() ? widenFrom<std::int32_t>(bytes) : widenFrom<std::uint32_t>(bytes);
    default: return widenFrom<std::uint64_t>(bytes);
  }
}

}  // namespace

Translation::Translation(Module& module, const Function& entry)
    : m_module(module), m_entry(entry) {}

std::uint32_t Translation::scratch(std::uint8_t bytes) {
  const std::size_t at = m_program.registerBytes;
  m_program.registerBytes += alignedTo(
      bytes == 0 ? sizeof(std::uint32_t) : std::size_t{bytes} * kLanes, kRegisterAlignment);
  return static_cast<std::uint32_t>(at);
}

std::uint32_t Translation::constant(std::uint64_t value, std::uint8_t bytes) {
  const auto [place, isNew] = m_constants.try_emplace({value, bytes}, 0);
  if (isNew) {
    place->second = scratch(bytes);
    m_program.constants.push_back({place->second, bytes, value});
  }
  return place->second;
}

void Translation::place(const Variable& variable, std::size_t& bytes, Frame& frame,
                        std::uint64_t window) {
  bytes = alignedTo(bytes, variable.align);
  frame.symbols[variable.name] = {variable.space, window + bytes};
  bytes += variable.bytes;
}

void Translation::enter(const Function& function) {
  if (m_frames.size() > 16) unknown("calls too deep, or of itself");
  Frame frame;
  frame.function = &function;
  for (const Type& type : function.registers) frame.registers.push_back(scratch(type.bytes));
  for (const Variable& variable : function.variables) {
    // Parameters of calls are memory of the thread.
    const bool shared = variable.space == "shared";
    place(variable, shared ? m_program.sharedBytes : m_program.localBytes, frame,
          variable.space == "param" ? kLocalWindow : 0);
  }
  m_frames.push_back(std::move(frame));
}

Program Translation::translate() {
  m_program.name = m_entry.name;
  m_program.mostThreads = m_entry.mostThreads;
  for (const Variable& variable : m_module.variables()) {
    if (variable.space != "shared" || variable.isExtern) continue;
    m_program.sharedBytes = alignedTo(m_program.sharedBytes, variable.align);
    m_symbols[variable.name] = {variable.space, m_program.sharedBytes};
    m_program.sharedBytes += variable.bytes;
  }
  enter(m_entry);
  for (const Variable& parameter : m_entry.parameters) {
    place(parameter, m_program.parameterBytes, m_frames.front());
    m_program.parameters.push_back({m_program.parameterBytes - parameter.bytes, parameter.bytes});
  }
  // Memory that the launch adds starts after everything that has a size.
  std::size_t added = m_program.sharedBytes;
  for (const Variable& variable : m_module.variables())
    if (variable.space == "shared" && variable.isExtern) {
      added = alignedTo(added, variable.align);
      m_symbols[variable.name] = {variable.space, added};
    }
  body();
  m_program.sharedBytes = added;
  return std::move(m_program);
}

void Translation::body() {
  const std::size_t depth = m_frames.size();
  for (const Statement& statement : m_frames.back().function->statements) {
    m_frames[depth - 1].starts.push_back(static_cast<std::uint32_t>(m_program.code.size()));
    one(statement);
  }
  Frame& frame = m_frames.back();
  const auto end = static_cast<std::uint32_t>(m_program.code.size());
  frame.starts.push_back(end);
  for (const auto& [instruction, statement] : frame.jumps)
    m_program.code[instruction].target = frame.starts[statement];
  for (const std::size_t instruction : frame.leaves) m_program.code[instruction].target = end;
}

void Translation::one(const Statement& statement) {
  m_statement = &statement;
  m_types.clear();
  m_widenings.clear();
  for (const std::string_view modifier : statement.modifiers) {
    Type type;
    if (typeOf(modifier, type)) m_types.push_back(type);
  }
  const auto found = allMakers().find(statement.opcode);
  if (found == allMakers().end()) unknown();
  found->second(*this);
  finish();
}

const Operand& Translation::operand(std::size_t index) const {
  if (index >= m_statement->operands.size()) unknown("too few operands");
  return m_statement->operands[index];
}

Type Translation::type(std::size_t index) const {
  if (index >= m_types.size()) unknown("too few types");
  return m_types[index];
}

bool Translation::has(std::string_view modifier) const {
  return std::ranges::count(m_statement->modifiers, modifier) > 0;
}

void Translation::allow(std::initializer_list<std::string_view> modifiers) const {
  for (const std::string_view modifier : m_statement->modifiers) {
    Type type;
    if (!typeOf(modifier, type) && std::ranges::count(modifiers, modifier) == 0)
      unknown("unknown modifier `" + std::string(modifier) + "`");
  }
}

void Translation::unknown(const std::string& why) const {
  const int line = m_statement == nullptr ? m_entry.line : m_statement->line;
  throw NotUnderstood("PTX device: " + why + " in line " + std::to_string(line) + " of " +
                      std::string(m_entry.name) + ": " + std::string(m_module.lineText(line)));
}

std::uint8_t Translation::widthOf(const Operand& operand) const {
  if (operand.form != Operand::Form::Register) unknown("a register was expected");
  return m_frames.back().function->registers[operand.number].bytes;
}

std::uint32_t Translation::predicate(std::uint32_t number) {
  const Frame& frame = m_frames.back();
  if (frame.function->registers[number].bytes != 0) unknown("a predicate was expected");
  return frame.registers[number];
}

std::uint32_t Translation::source(const Operand& operand, std::uint8_t bytes) {
  if (operand.isNegated) unknown("a negated operand");
  if (operand.form == Operand::Form::Immediate) {
    if (bytes == 0) return constant(operand.bits != 0 ? kAllLanes : 0, 0);
    if (bytes == 8) return constant(operand.bits, 8);
    return constant(operand.bits & ((std::uint64_t{1} << (8U * bytes)) - 1), bytes);
  }
  if (operand.form != Operand::Form::Register) unknown("unknown form of an operand");
  const std::uint32_t at = m_frames.back().registers[operand.number];
  const std::uint8_t width = widthOf(operand);
  if (width == bytes) return at;
  if (width < bytes || bytes == 0) unknown("an operand is too narrow");
  const std::uint32_t narrow = scratch(bytes);
  Instruction& i = emit(widening({Type::Kind::Bits, width}, bytes));
  i.d = narrow;
  i.a = at;
  return narrow;
}

std::uint32_t Translation::result(const Operand& operand, Type type) {
  if (operand.form == Operand::Form::Sink) return scratch(type.bytes);
  const std::uint8_t width = widthOf(operand);
  const std::uint32_t at = m_frames.back().registers[operand.number];
  if (width == type.bytes) return at;
  if (width < type.bytes || type.bytes == 0) unknown("a result is too narrow");
  const std::uint32_t narrow = scratch(type.bytes);
  m_widenings.push_back({type, narrow, at, width});
  return narrow;
}

Instruction& Translation::emit(Handler run) {
  Instruction i;
  i.run = run;
  i.line = m_statement->line;
  if (m_statement->guard != 0) {
    i.guarded = true;
    i.guard = predicate(m_statement->guard - 1);
    i.guardNot = m_statement->guardNot;
  }
  m_program.code.push_back(i);
  return m_program.code.back();
}

void Translation::finish() {
  const std::vector<Widening> widenings = std::move(m_widenings);
  m_widenings.clear();
  for (const Widening& w : widenings) {
    Instruction& i = emit(widening(w.type, w.bytes));
    i.d = w.to;
    i.a = w.from;
  }
}

Translation::Symbol Translation::symbol(std::string_view name) const {
  const auto& own = m_frames.back().symbols;
  if (const auto found = own.find(name); found != own.end()) return found->second;
  const auto found = m_symbols.find(name);
  if (found == m_symbols.end()) unknown("no variable `" + std::string(name) + "`");
  return found->second;
}

void Translation::jumpTo(Instruction& instruction, std::string_view label) {
  Frame& frame = m_frames.back();
  const auto found = frame.function->labels.find(label);
  if (found == frame.function->labels.end()) unknown("no label `" + std::string(label) + "`");
  frame.jumps.emplace_back(&instruction - m_program.code.data(), found->second);
}

void Translation::leave(Instruction& instruction) {
  m_frames.back().leaves.push_back(static_cast<std::size_t>(&instruction - m_program.code.data()));
}

void Translation::call() {
  // (results), name, (parameters): all except the name are optional.
  const Operand* results = nullptr;
  const Operand* parameters = nullptr;
  std::string_view name;
  for (const Operand& operand : m_statement->operands) {
    if (operand.form == Operand::Form::Symbol && name.empty())
      name = operand.name;
    else
      (name.empty() ? results : parameters) = &operand;
  }
  const Function* const function = m_module.function(name);
  if (m_statement->guard != 0 || function == nullptr || function->isEntry)
    unknown("unsupported call");
  std::map<std::string_view, Symbol> bound;
  const auto bind = [&](const std::vector<Variable>& formal, const Operand* actual) {
    if (formal.size() != (actual == nullptr ? 0 : actual->parts.size())) unknown("another call");
    for (std::size_t i = 0; i < formal.size(); ++i)
      bound[formal[i].name] = symbol(actual->parts[i].name);
  };
  bind(function->results, results);
  bind(function->parameters, parameters);
  const Statement* const statement = m_statement;
  enter(*function);
  m_frames.back().symbols.insert(bound.begin(), bound.end());
  body();
  m_frames.pop_back();
  m_statement = statement;
}

}  // namespace millrace::ptx
