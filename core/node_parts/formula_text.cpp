// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/formula_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "core/spec/python_literal.h"

namespace millrace::nodes {

namespace {

/// Operator precedence in Python; operands with a lower precedence need brackets.
enum class Binding { Logic, Compare, Sum, Product, Sign, Power, Atom };

struct Piece {
  std::string text;
  Binding binding = Binding::Atom;
  bool boolean = false;
  bool constant = false;  ///< it contains no field: a Python number, not a tensor
};

/// How a library writes what Python has no operator for. `{}` is the operand.
struct Library {
  std::string_view name;       ///< as formulaText() takes it
  std::string_view functions;  ///< where `where`, `maximum` and the functions are
  std::string_view where;
  std::string_view number;    ///< a comparison as 1 or 0
  std::string_view constant;  ///< a number of Python as an array
  std::string_view inverse;   ///< before `sin`, `cosh`, ... of inverse functions
};
constexpr std::array kLibraries = {
    Library{"pytorch", "torch", "torch.where", "{}.double()",
            "torch.tensor({}, dtype=torch.float64)", "a"},
    Library{"tfdata", "tf.math", "tf.where", "tf.cast({}, tf.float64)",
            "tf.constant({}, tf.float64)", "a"},
    Library{"numpy", "np", "np.where", "{}.astype(float)", "{}", "arc"},
};
constexpr std::array<std::string_view, 10> kFunctions = {"sin",  "cos", "tan",  "sinh", "cosh",
                                                         "tanh", "exp", "sqrt", "abs",  "sign"};
constexpr std::array<std::string_view, 6> kInverseFunctions = {"asin",  "acos",  "atan",
                                                               "asinh", "acosh", "atanh"};

std::string filled(std::string_view form, const std::string& operand) {
  return fmt::format(fmt::runtime(form), operand);
}

/// A recursive descent parser with one function per precedence level. Sets m_failed if something
/// cannot be converted.
class FormulaWriter {
 public:
  FormulaWriter(std::string_view formula, const Library& library)
      : m_rest(formula), m_library(library) {}

  std::optional<std::string> write() {
    const Piece whole = number(choice());
    skipSpace();
    if (m_failed || !m_rest.empty() || whole.constant) return std::nullopt;
    return whole.text;
  }

 private:
  void skipSpace() {
    while (!m_rest.empty() && (m_rest.front() == ' ' || m_rest.front() == '\t'))
      m_rest.remove_prefix(1);
  }
  bool take(std::string_view sign) {
    skipSpace();
    if (!m_rest.starts_with(sign)) return false;
    m_rest.remove_prefix(sign.size());
    return true;
  }
  Piece failed() {
    m_failed = true;
    m_rest = {};
    return {"0", Binding::Atom, false, true};
  }

  static std::string within(const Piece& piece, Binding least) {
    return piece.binding < least ? "(" + piece.text + ")" : piece.text;
  }
  /// Converts a comparison to 1 or 0.
  Piece number(const Piece& piece) const {
    if (!piece.boolean) return piece;
    const bool isMethod = m_library.number.starts_with("{}");
    return {filled(m_library.number, isMethod ? within(piece, Binding::Atom) : piece.text)};
  }
  Piece condition(const Piece& piece) {
    if (piece.constant) return failed();
    if (piece.boolean) return piece;
    return {within(piece, Binding::Sum) + " != 0", Binding::Compare, true};
  }
  std::string tensor(const Piece& piece) const {
    return piece.constant ? filled(m_library.constant, piece.text) : number(piece).text;
  }
  Piece infix(const Piece& left, std::string_view sign, const Piece& right, Binding binding,
              Binding leastRight) const {
    const Piece a = number(left);
    const Piece b = number(right);
    return {fmt::format("{} {} {}", within(a, binding), sign, within(b, leastRight)), binding,
            false, a.constant && b.constant};
  }

  /// Counts the nesting depth: endless nesting must fail before the stack overflows.
  Piece choice() {
    if (m_depth == kDeepest) return failed();
    ++m_depth;
    Piece whole = choiceWithin();
    --m_depth;
    return whole;
  }
  Piece choiceWithin() {
    Piece which = either();
    if (!take("?")) return which;
    const std::string test = condition(which).text;
    const std::string yes = tensor(choice());
    if (!take(":")) return failed();
    const std::string no = tensor(choice());
    return {fmt::format("{}({}, {}, {})", m_library.where, test, yes, no)};
  }
  Piece either() {
    Piece left = both();
    while (take("||")) left = logic(left, "|", both());
    return left;
  }
  Piece both() {
    Piece left = comparison();
    while (take("&&")) left = logic(left, "&", comparison());
    return left;
  }
  Piece logic(const Piece& left, std::string_view sign, const Piece& right) {
    const std::string a = within(condition(left), Binding::Atom);
    return {fmt::format("{} {} {}", a, sign, within(condition(right), Binding::Atom)),
            Binding::Logic, true};
  }
  Piece comparison() {
    Piece left = sum();
    for (;;) {
      std::string_view sign;
      for (const std::string_view known : {"<=", ">=", "!=", "==", "<", ">"})
        if (sign.empty() && take(known)) sign = known;
      if (sign.empty()) return left;
      left = infix(left, sign, sum(), Binding::Sum, Binding::Sum);
      if (left.constant) return failed();
      left.binding = Binding::Compare;
      left.boolean = true;
    }
  }
  Piece sum() {
    Piece left = product();
    for (;;) {
      if (take("+"))
        left = infix(left, "+", product(), Binding::Sum, Binding::Sum);
      else if (take("-"))
        left = infix(left, "-", product(), Binding::Sum, Binding::Product);
      else
        return left;
    }
  }
  Piece product() {
    Piece left = unary();
    for (;;) {
      if (take("*"))
        left = infix(left, "*", unary(), Binding::Product, Binding::Product);
      else if (take("/"))
        left = infix(left, "/", unary(), Binding::Product, Binding::Sign);
      else
        return left;
    }
  }
  Piece unary() {
    bool minus = false;
    for (;;) {
      if (take("-"))
        minus = !minus;
      else if (!take("+"))
        break;
    }
    Piece of = power();
    if (!minus) return of;
    const Piece value = number(of);
    return {"-" + within(value, Binding::Sign), Binding::Sign, false, value.constant};
  }
  Piece power() {
    Piece base = atom();
    if (!take("^")) return base;
    if (m_depth == kDeepest) return failed();
    ++m_depth;
    Piece raised = infix(base, "**", unary(), Binding::Atom, Binding::Sign);
    --m_depth;
    raised.binding = Binding::Power;
    return raised;
  }

  Piece atom() {
    if (take("(")) {
      const Piece inside = choice();
      return take(")") ? inside : failed();
    }
    if (m_rest.empty()) return failed();
    const char first = m_rest.front();
    if ((first >= '0' && first <= '9') || first == '.') return literal();
    std::size_t length = 0;
    const auto inName = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (length < m_rest.size() && inName(m_rest[length])) ++length;
    const std::string name(m_rest.substr(0, length));
    m_rest.remove_prefix(length);
    if (name.empty()) return failed();
    if (take("(")) return call(name);
    if (name == "_pi") return {pythonReal(std::numbers::pi), Binding::Atom, false, true};
    if (name == "_e") return {pythonReal(std::numbers::e), Binding::Atom, false, true};
    return {"real(sample[" + pythonText(name) + "])"};
  }
  Piece literal() {
    double value = 0;
    const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
    if (error != std::errc()) return failed();
    m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
    return {pythonReal(value), Binding::Atom, false, true};
  }
  Piece call(const std::string& name) {
    std::vector<std::string> arguments{tensor(choice())};
    while (take(",")) arguments.push_back(tensor(choice()));
    if (!take(")")) return failed();
    if (name == "min" || name == "max") return extreme(name, arguments);
    const std::string function = functionFor(name);
    if (function.empty() || arguments.size() != 1) return failed();
    return {fmt::format("{}.{}({})", m_library.functions, function, arguments.front())};
  }
  std::string functionFor(const std::string& name) const {
    if (name == "ln" || name == "log") return "log";
    if (std::ranges::find(kInverseFunctions, name) != kInverseFunctions.end())
      return std::string(m_library.inverse) + name.substr(1);
    return std::ranges::find(kFunctions, name) != kFunctions.end() ? name : std::string();
  }
  Piece extreme(const std::string& name, const std::vector<std::string>& arguments) const {
    std::string text = arguments.front();
    for (std::size_t i = 1; i < arguments.size(); ++i)
      text = fmt::format("{}.{}imum({}, {})", m_library.functions, name, text, arguments[i]);
    return {text};
  }

  static constexpr int kDeepest = 200;

  std::string_view m_rest;
  const Library& m_library;
  int m_depth = 0;
  bool m_failed = false;
};

}  // namespace

std::optional<std::string> formulaText(std::string_view formula, std::string_view name) {
  const auto library = std::ranges::find(kLibraries, name, &Library::name);
  return FormulaWriter(formula, *library).write();
}

}  // namespace millrace::nodes
