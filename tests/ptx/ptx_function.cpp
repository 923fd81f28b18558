// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "tests/ptx/ptx_tokens.h"

namespace millrace::ptx {

namespace {

/// Registers by name and block: those of an inner block hide the outer ones.
class Scopes {
 public:
  explicit Scopes(std::vector<Type>& registers) : m_registers(registers) { push(); }
  void push() { m_scopes.emplace_back(); }
  void pop() { m_scopes.pop_back(); }

  /// `%r<199>` declares %r0 to %r198 at once.
  void declare(std::string_view name, std::uint32_t count, bool ranged, Type type) {
    m_scopes.back()[name] = {static_cast<std::uint32_t>(m_registers.size()), count, ranged};
    m_registers.insert(m_registers.end(), count, type);
  }

  bool find(std::string_view name, std::uint32_t& number) const {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
      if (const auto exact = scope->find(name); exact != scope->end() && !exact->second.ranged) {
        number = exact->second.first;
        return true;
      }
      const auto range = scope->find(name.substr(0, digits));
      if (range == scope->end() || !range->second.ranged || digits == name.size()) continue;
      std::uint32_t index = 0;
      std::from_chars(name.data() + digits, name.data() + name.size(), index);
      if (index >= range->second.count) continue;
      number = range->second.first + index;
      return true;
    }
    return false;
  }

 private:
  struct Range {
    std::uint32_t first;
    std::uint32_t count;
    bool ranged;
  };
  std::vector<Type>& m_registers;
  std::vector<std::map<std::string_view, Range>> m_scopes;
};

class FunctionReader {
 public:
  FunctionReader(std::string_view text, int line)
      : m_tokens(text, line), m_function(std::make_unique<Function>()) {
    m_function->line = line;
  }

  std::unique_ptr<Function> read() {
    readHead();
    Scopes scopes(m_function->registers);
    m_scopes = &scopes;
    m_tokens.must("{");
    for (int depth = 1; depth > 0;) {
      if (m_tokens.takeIf("{")) {
        ++depth;
        scopes.push();
      } else if (m_tokens.takeIf("}")) {
        --depth;
        scopes.pop();
      } else {
        readLine();
      }
    }
    return std::move(m_function);
  }

 private:
  std::vector<Variable> readParameters() {
    std::vector<Variable> all;
    m_tokens.must("(");
    while (!m_tokens.takeIf(")")) {
      m_tokens.must(".param");
      all.push_back(readVariable(m_tokens, "param"));
      m_tokens.takeIf(",");
    }
    return all;
  }

  void readHead() {
    while (m_tokens.peek() != ".entry" && m_tokens.peek() != ".func") m_tokens.take();
    m_function->isEntry = m_tokens.take() == ".entry";
    if (m_tokens.peek() == "(") m_function->results = readParameters();
    m_function->name = m_tokens.take();
    if (m_tokens.peek() == "(") m_function->parameters = readParameters();
    while (m_tokens.peek() != "{") {
      const std::string_view word = m_tokens.take();
      if (word == ".maxntid") {
        m_function->mostThreads = static_cast<int>(m_tokens.takeInteger());
        while (m_tokens.takeIf(","))
          m_function->mostThreads *= static_cast<int>(m_tokens.takeInteger());
      } else if (word == ".minnctapersm") {
        m_function->leastBlocks = static_cast<int>(m_tokens.takeInteger());
      } else if (word != ".noreturn") {
        m_tokens.fail("unknown directive `" + std::string(word) + "` of a function");
      }
    }
  }

  void readLine() {
    const std::string_view word = m_tokens.peek();
    if (word.empty()) m_tokens.fail("a body without its end");
    if (m_tokens.peek(1) == ":") {
      m_function->labels[m_tokens.take()] =
          static_cast<std::uint32_t>(m_function->statements.size());
      m_tokens.take();
    } else if (word == ".reg") {
      readRegisters();
    } else if (word == ".local" || word == ".shared" || word == ".param") {
      m_tokens.take();
      declare(readVariable(m_tokens, word.substr(1)));
      m_tokens.must(";");
    } else if (word == ".loc" || word == ".file") {
      m_tokens.skipLine();
    } else if (word == ".pragma") {
      while (!m_tokens.takeIf(";")) m_tokens.take();
    } else {
      readStatement();
    }
  }

  /// Successive calls declare parameters with the same names; they share one place.
  void declare(const Variable& variable) {
    for (Variable& other : m_function->variables)
      if (other.name == variable.name) {
        other.bytes = std::max(other.bytes, variable.bytes);
        other.align = std::max(other.align, variable.align);
        return;
      }
    m_function->variables.push_back(variable);
  }

  void readRegisters() {
    m_tokens.take();
    Type type;
    const std::string_view word = m_tokens.take();
    if (!typeOf(word.substr(1), type)) m_tokens.fail("no register type before it");
    do {
      const std::string_view name = m_tokens.take();
      const bool ranged = m_tokens.takeIf("<");
      const std::uint32_t count = ranged ? static_cast<std::uint32_t>(m_tokens.takeInteger()) : 1;
      if (ranged) m_tokens.must(">");
      m_scopes->declare(name, count, ranged, type);
    } while (m_tokens.takeIf(","));
    m_tokens.must(";");
  }

  void readStatement() {
    Statement statement;
    statement.line = m_tokens.line();
    if (m_tokens.takeIf("@")) {
      statement.guardNot = m_tokens.takeIf("!");
      statement.guard = registerAt(m_tokens.take()) + 1;
    }
    statement.text = m_tokens.take();
    std::string_view rest = statement.text;
    for (bool first = true; !rest.empty(); first = false) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      if (first)
        statement.opcode = rest.substr(0, dot);
      else
        statement.modifiers.push_back(rest.substr(0, dot));
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
    while (!m_tokens.takeIf(";")) {
      statement.operands.push_back(readOperand());
      m_tokens.takeIf(",");
    }
    m_function->statements.push_back(std::move(statement));
  }

  std::uint32_t registerAt(std::string_view name) {
    std::uint32_t number = 0;
    if (!m_scopes->find(name, number)) m_tokens.fail("`" + std::string(name) + "` is no register");
    return number;
  }

  Operand readList(std::string_view end) {
    Operand list;
    list.form = Operand::Form::Vector;
    while (!m_tokens.takeIf(end)) {
      list.parts.push_back(readOperand());
      m_tokens.takeIf(",");
    }
    return list;
  }

  Operand readOperand() {
    if (m_tokens.takeIf("{")) return readList("}");
    if (m_tokens.takeIf("(")) return readList(")");
    if (m_tokens.takeIf("[")) return readMemory();
    const bool negated = m_tokens.takeIf("!");
    Operand operand = readPlain();
    operand.isNegated = negated;
    if (!m_tokens.takeIf("|")) return operand;
    const std::string_view second = m_tokens.take();
    if (second != "_") operand.second = registerAt(second) + 1;
    return operand;
  }

  Operand readMemory() {
    Operand memory = readPlain();
    if (memory.form == Operand::Form::Immediate) m_tokens.fail("an address without a base");
    // A symbol differs from a register by its name.
    if (memory.form == Operand::Form::Register) memory.name = {};
    memory.form = Operand::Form::Memory;
    if (m_tokens.takeIf("+")) memory.bits = static_cast<std::uint64_t>(m_tokens.takeInteger());
    m_tokens.must("]");
    return memory;
  }

  Operand readPlain() {
    Operand operand;
    const std::string_view word = m_tokens.peek();
    if (word == "_") {
      m_tokens.take();
      return operand;
    }
    if (word.starts_with("0f") || word.starts_with("0d")) {
      operand.form = Operand::Form::Immediate;
      operand.isDouble = word[1] == 'd';
      std::from_chars(word.data() + 2, word.data() + word.size(), operand.bits, 16);
      m_tokens.take();
      return operand;
    }
    if (word == "-" || (!word.empty() && word[0] >= '0' && word[0] <= '9')) {
      operand.form = Operand::Form::Immediate;
      operand.bits = static_cast<std::uint64_t>(m_tokens.takeInteger());
      return operand;
    }
    operand.name = m_tokens.take();
    if (m_scopes->find(operand.name, operand.number))
      operand.form = Operand::Form::Register;
    else
      operand.form = word.starts_with("%") ? Operand::Form::Special : Operand::Form::Symbol;
    return operand;
  }

  Tokens m_tokens;
  std::unique_ptr<Function> m_function;
  Scopes* m_scopes = nullptr;
};

}  // namespace

std::unique_ptr<Function> readFunction(std::string_view text, int line) {
  return FunctionReader(text, line).read();
}

}  // namespace millrace::ptx
