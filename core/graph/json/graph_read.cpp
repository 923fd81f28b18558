// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/json/json_text.h"
#include "core/graph/json/param_json.h"
#include "core/graph/rules/unknown_kind.h"

namespace millrace {

namespace {

using nlohmann::json;

/// Walks through the document; each wrong type is reported and the walk continues.
class Reader {
 public:
  Reader(const Catalog& catalog, Problems& problems) : m_catalog(catalog), m_problems(problems) {}

  Graph document(const json& root) {
    Graph graph;
    readVersion(root);
    for (const auto& [key, value] : root.items()) {
      if (key == "seed")
        readSeed(value, graph.seed);
      else if (key == "nodes")
        eachObject(value, key, [&](const json& n, const std::string& at) { node(n, at, graph); });
      else if (key == "wires")
        eachObject(value, key, [&](const json& w, const std::string& at) { wire(w, at, graph); });
      else if (key == "groups")
        readKept(value, key, graph.groups);
      else if (key == "comments")
        readKept(value, key, graph.comments);
      else if (key != "format_version")
        graph.extras[key] = rawOf(value);
    }
    nameTheNameless(graph);
    return graph;
  }

 private:
  void wrong(const std::string& at, std::string_view wanted, const json& found) {
    m_problems.error("", at, fmt::format("expected {}, found {}", wanted, shortText(found)),
                     fmt::format("write {} there", wanted));
  }

  static std::string shortText(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    std::string text = rawOf(value).text;
    if (text.size() > 60) text = validUtf8(text.substr(0, 57)) + "...";
    return "`" + text + "`";
  }

  void readVersion(const json& root) {
    const auto found = root.find("format_version");
    const std::string remedy = fmt::format("write \"format_version\": {}", Graph::kFormatVersion);
    if (found == root.end()) {
      m_problems.warning("", "format_version",
                         fmt::format("missing; read as version {}", Graph::kFormatVersion), remedy);
    } else if (!found->is_number_integer()) {
      wrong("format_version", "a whole number", *found);
    } else if (*found > Graph::kFormatVersion) {
      m_problems.error(
          "", "format_version",
          fmt::format("the pipeline has version {}, this program reads up to version {}",
                      rawOf(*found).text, Graph::kFormatVersion),
          "open it with a newer Millrace");
    } else if (*found < 1) {
      m_problems.error("", "format_version",
                       fmt::format("there is no version {}", rawOf(*found).text), remedy);
    }
  }

  void readSeed(const json& value, std::uint64_t& seed) {
    if (value.is_number_unsigned() || (value.is_number_integer() && value >= 0))
      seed = value.get<std::uint64_t>();
    else
      wrong("seed", "a whole number from 0 to 2^64 - 1", value);
  }

  template <class Use>
  void eachObject(const json& list, const std::string& key, Use use) {
    if (!list.is_array()) return wrong(key, "a list of objects", list);
    if (list.size() > kMaxGraphNodes)
      return m_problems.error(
          "", key,
          fmt::format("has {} entries, a pipeline may have {}", list.size(), kMaxGraphNodes),
          "shorten it");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", key, i);
      if (list[i].is_object())
        use(list[i], at);
      else
        wrong(at, "an object", list[i]);
    }
  }

  void readKept(const json& list, const std::string& key, std::vector<RawJson>& kept) {
    if (!list.is_array()) return wrong(key, "a list", list);
    for (const json& element : list) kept.push_back(rawOf(element));
  }

  void readText(const json& value, const std::string& at, std::string& text) {
    if (value.is_string() && value.get_ref<const std::string&>().size() <= kMaxNameBytes)
      text = value.get<std::string>();
    else
      wrong(at, fmt::format("a text of at most {} bytes", kMaxNameBytes), value);
  }

  void node(const json& object, const std::string& at, Graph& graph) {
    GraphNode node;
    if (!object.contains("kind"))
      m_problems.error("", at + ".kind", "missing", "write the node's kind");
    for (const auto& [key, value] : object.items()) {
      if (key == "id")
        readText(value, at + ".id", node.id);
      else if (key == "kind")
        readText(value, at + ".kind", node.kind);
      else if (key == "state")
        readState(value, at + ".state", node.state);
      else if (key == "ui")
        node.ui = rawOf(value);
      else if (key != "params")
        node.extras[key] = rawOf(value);
    }
    readParams(object, at + ".params", node);
    // Written from the kind again.
    if (const NodeSpec* spec = m_catalog.find(node.kind); spec != nullptr && !spec->plugin.empty())
      node.extras.erase(kPluginKey);
    graph.nodes.push_back(std::move(node));
  }

  void readState(const json& value, const std::string& at, NodeState& state) {
    if (value == "bypass")
      state = NodeState::Bypass;
    else if (value != "on")
      wrong(at, "\"on\" or \"bypass\"", value);
  }

  void readParams(const json& object, const std::string& at, GraphNode& node) {
    const auto params = object.find("params");
    if (params == object.end()) return;
    if (!params->is_object()) return wrong(at, "an object of parameters", *params);
    const NodeSpec* spec = m_catalog.find(node.kind);
    for (const auto& [name, value] : params->items())
      node.params[name] = paramOf(spec == nullptr ? nullptr : spec->param(name), value);
  }

  void wire(const json& object, const std::string& at, Graph& graph) {
    GraphWire wire;
    for (const char* end : {"from", "to"})
      if (!object.contains(end))
        m_problems.error("", fmt::format("{}.{}", at, end), "missing",
                         "write the id of a node there");
    for (const auto& [key, value] : object.items()) {
      if (key == "from")
        readText(value, at + ".from", wire.from);
      else if (key == "to")
        readText(value, at + ".to", wire.to);
      else
        wire.extras[key] = rawOf(value);
    }
    graph.wires.push_back(std::move(wire));
  }

  static void nameTheNameless(Graph& graph) {
    for (GraphNode& node : graph.nodes)
      if (node.id.empty() && !node.kind.empty()) node.id = freeId(graph, node.kind);
  }

  const Catalog& m_catalog;
  Problems& m_problems;
};

Error unreadable(const std::filesystem::path& file, std::string_view why) {
  return Error{fmt::format("{}: {}", validUtf8(file.string()), why)};
}

}  // namespace

Result<std::string> graphBytes(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return unreadable(file, "it is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return unreadable(file, std::strerror(errno));
  std::string text;
  std::string block(1U << 16U, '\0');
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())),
         stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxGraphBytes) break;
  }
  if (stream.bad()) return unreadable(file, std::strerror(errno));
  return text;
}

ReadGraph parseGraph(std::string_view text, const Catalog& catalog) {
  ReadGraph read;
  if (text.size() > kMaxGraphBytes) {
    read.problems.error("", "",
                        fmt::format("it is larger than {}, the limit for a pipeline file",
                                    humanBytes(static_cast<double>(kMaxGraphBytes))),
                        "give a pipeline file (*.millrace.json)");
    return read;
  }
  if (trimmed(text).empty()) {
    read.problems.error("", "", "the input is empty", "give a pipeline file (*.millrace.json)");
    return read;
  }
  const Result<json> root = readJson(text, kMaxGraphDepth);
  if (!root) {
    read.problems.error("", "", root.error().message, "correct the JSON there");
    return read;
  }
  if (!root->is_object()) {
    read.problems.error("", "", "a pipeline is a JSON object",
                        R"(start with {"format_version": 1, "nodes": [...]})");
    return read;
  }
  Graph graph = Reader(catalog, read.problems).document(*root);
  if (!read.problems.anyError()) read.graph = std::move(graph);
  return read;
}

ReadGraph readGraph(const std::filesystem::path& file, const Catalog& catalog) {
  const Result<std::string> text = graphBytes(file);
  if (text) return parseGraph(*text, catalog);
  ReadGraph read;
  read.problems.error("", "", text.error().message, "give a pipeline file (*.millrace.json)");
  return read;
}

}  // namespace millrace
