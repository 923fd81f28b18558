// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/catalog_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr Category kCategories[] = {Category::Source, Category::Order,    Category::Cache,
                                    Category::Decode, Category::Geometry, Category::Colour,
                                    Category::Tensor, Category::Runtime,  Category::Consumer};

std::string capitalised(std::string_view word) {
  std::string text(word);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Counts code points; in these texts each one takes one terminal column.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
  }));
}

/// Breaks `text` into lines of at most `columns`, each indented by `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  const std::string margin(indent, ' ');
  std::string all;
  std::string line;
  for (const std::string& word : split(text, ' ')) {
    if (!line.empty() && indent + width(line) + 1 + width(word) > columns) {
      all += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? all : all + margin + line + "\n";
}

std::string defaultText(const ParamSpec& param) {
  // Six digits are enough: 4/3 is shown as 1.33333.
  if (const double* real = std::get_if<double>(&param.defaultValue))
    return fmt::format("{:.6g}", *real);
  std::string text = textOf(param.defaultValue);
  if (!text.empty()) return text;
  return param.optional ? "not set" : "required";
}

/// "0.01 to 1", "1 threads or more"; empty if the type alone says what is allowed.
std::string rangeText(const ParamSpec& param) {
  if (param.type == ParamType::Choice) return join(param.choices, ", ");
  return param.minimum || param.maximum ? param.allowed() : "";
}

std::string typeText(const ParamSpec& param) {
  std::string text(nameOf(param.type));
  if (!param.unit.empty()) text += ", " + param.unit;
  return text;
}

/// Up to the first full stop that ends a sentence: "et al. 2020" goes on.
std::string firstSentence(const std::string& help) {
  std::size_t end = help.find(". ");
  while (end != std::string::npos && end + 2 < help.size() && help[end + 2] >= '0' &&
         help[end + 2] <= '9')
    end = help.find(". ", end + 1);
  std::string sentence = end == std::string::npos ? help : help.substr(0, end);
  if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return sentence;
}

std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

/// A one-character help text gets no full stop.
std::string asSentence(const std::string& help) {
  return help.size() > 1 && help.back() != '.' ? help + '.' : help;
}

/// "Only used if `mode` is window."; empty if the parameter is always used.
std::string useOf(const NodeSpec& node, const ParamSpec& param, const char* quote) {
  if (!param.usedWith) return {};
  const ParamSpec& other = *node.param(param.usedWith->param);
  return fmt::format("Only used if {}.", param.usedWith->text(other, quote + other.name + quote));
}

std::string helpOf(const NodeSpec& node, const ParamSpec& param) {
  std::string text = param.help;
  for (std::size_t i = 0; i < param.choices.size(); ++i)
    if (i < param.choiceHelps.size() && !param.choiceHelps[i].empty())
      text += fmt::format("{}`{}`: {}", text.empty() ? "" : " ", param.choices[i],
                          asSentence(param.choiceHelps[i]));
  if (param.usedWith) text += ' ' + useOf(node, param, "`");
  if (param.live) text += " Can be changed during a run.";
  if (param.isData) text += " Set by `--data`.";
  return text;
}

std::string paramRow(const NodeSpec& node, const ParamSpec& param) {
  const std::string code = textOf(param.defaultValue).empty() ? "" : "`";
  return fmt::format("| `{}` | {} | {}{}{} | {} | {} |\n", param.name, typeText(param), code,
                     defaultText(param), code, rangeText(param), cell(helpOf(node, param)));
}

/// What cannot be done with the node; empty for most.
std::string limitsOf(const NodeSpec& spec) {
  if (!spec.canBypass) return "Cannot be bypassed.";
  return spec.cpuOnly ? "Runs only on the CPU: it cannot follow a transfer." : "";
}

std::string nodeMarkdown(const NodeSpec& spec) {
  std::string text = fmt::format("### {} (`{}`)\n\n{}\n\n", spec.label, spec.kind, spec.help);
  if (!spec.params.empty()) {
    text += "| parameter | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
    for (const ParamSpec& param : spec.params) text += paramRow(spec, param);
    text += "\n";
  }
  if (const std::string limits = limitsOf(spec); !limits.empty()) text += limits + "\n\n";
  return text + fmt::format("```json\n{{\"kind\": \"{}\", \"params\": {}}}\n```\n\n", spec.kind,
                            spec.example);
}

std::string paramText(const NodeSpec& node, const ParamSpec& param, std::size_t columns) {
  std::string line =
      fmt::format("{} ({}); default: {}", param.name, typeText(param), defaultText(param));
  if (param.type != ParamType::Choice && !rangeText(param).empty()) line += "; " + rangeText(param);
  std::string text = wrapped(line, 2, columns) + wrapped(param.help, 6, columns);
  for (std::size_t i = 0; i < std::min(param.choices.size(), param.choiceHelps.size()); ++i)
    text += wrapped(param.choices[i] + ": " + param.choiceHelps[i], 6, columns);
  if (param.usedWith) text += wrapped(useOf(node, param, ""), 6, columns);
  if (param.live) text += wrapped("Can be changed during a run.", 6, columns);
  if (param.isData) text += wrapped("Set by --data.", 6, columns);
  return text;
}

}  // namespace

std::string catalogMarkdown(const Catalog& catalog) {
  // The head of the page, not of this file: REUSE-IgnoreStart
  std::string text =
      "<!-- SPDX-FileCopyrightText: 2026 The Millrace developers -->\n"
      "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
      // REUSE-IgnoreEnd
      "<!-- Generated by `millrace nodes --markdown` from the node descriptions; do not edit. -->\n"
      "# Nodes\n\n"
      "What each node kind does, and its parameters. A parameter that a pipeline file does not set "
      "has its default value.\n\n";
  for (const Category category : kCategories) {
    std::string part;
    for (const NodeSpec& spec : catalog.all())
      if (spec.category == category) part += nodeMarkdown(spec);
    if (!part.empty()) text += fmt::format("## {}\n\n", capitalised(nameOf(category))) + part;
  }
  text.pop_back();
  return text;
}

std::string catalogOverviewText(const Catalog& catalog, std::size_t columns) {
  std::size_t longest = 0;
  for (const NodeSpec& spec : catalog.all()) longest = std::max(longest, spec.kind.size());
  std::string text;
  for (const Category category : kCategories) {
    std::string part;
    for (const NodeSpec& spec : catalog.all()) {
      if (spec.category != category) continue;
      const std::string help = wrapped(firstSentence(spec.help), longest + 4, columns);
      part += fmt::format("  {:{}}  ", spec.kind, longest) + help.substr(longest + 4);
    }
    if (!part.empty())
      text += (text.empty() ? "" : "\n") + capitalised(nameOf(category)) + "\n" + part;
  }
  return text;
}

std::string nodeHelpText(const NodeSpec& spec, std::size_t columns) {
  std::string text = fmt::format("{}: {} ({})\n\n", spec.kind, spec.label, nameOf(spec.category)) +
                     wrapped(spec.help, 0, columns);
  if (!spec.params.empty()) text += "\nParameters\n";
  for (const ParamSpec& param : spec.params) text += paramText(spec, param, columns);
  if (const std::string limits = limitsOf(spec); !limits.empty())
    text += "\n" + wrapped(limits, 0, columns);
  if (!spec.plugin.empty())
    text += fmt::format("\nComes from the plug-in `{}`: {}\n", spec.plugin, spec.pluginFile);
  text +=
      fmt::format("\nExample\n  {{\"kind\": \"{}\", \"params\": {}}}\n", spec.kind, spec.example);
  return text;
}

}  // namespace millrace
