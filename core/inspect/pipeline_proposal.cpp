// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/pipeline_proposal.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/formats/folder/pair_table.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/edit/graph_splice.h"
#include "core/graph/json/graph_json.h"
#include "core/inspect/data_survey.h"
#include "core/inspect/fit_stream.h"
#include "core/node_parts/fields/array_fields.h"
#include "core/open/examples.h"
#include "core/spec/class_lists.h"

namespace millrace {

namespace {

std::string_view exampleFor(const FolderContent& content) {
  switch (content.layout) {
    case DataLayout::Pairs: return content.scale > 1 ? "super-resolution" : "deblurring";
    case DataLayout::Masks: return "segmentation";
    case DataLayout::Objects: return "detection";
    case DataLayout::Manifest: return content.masks ? "segmentation" : "classification";
    case DataLayout::Container:
      if (content.paths.size() < 2) return "classification";
      return content.masks ? "segmentation" : "deblurring";
    default: return "classification";
  }
}

/// Rounds down to a multiple of 8, which convolutions handle well.
std::int64_t roundedDown(int side) { return side >= 16 ? side / 8 * 8 : side; }

/// What crops and decoding have to fit.
struct SeenPictures {
  Size least;              ///< {0, 0}: unknown
  int storedChannels = 0;  ///< as FolderContent::storedChannels
  bool arrays = false;     ///< none is a file
};

/// A few pictures of the source's images.
SeenPictures picturesOf(const Source& source) {
  SurveyLimits limits;
  limits.samples = 200;
  limits.bytes = std::uint64_t{32} << 20U;
  limits.files = 0;
  const DataSurvey seen = surveyData(source, limits);
  for (const FieldSpec& field : seen.fields)
    if (const auto found = seen.pictures.find(field.name);
        field.role == Role::Image && found != seen.pictures.end())
      return {found->second.least, found->second.storedChannels, false};
  return {};
}

/// Decodes to numbers what has no colours. Nodes that need bytes are removed, and the one that
/// normalises is bypassed, because its mean is that of photos.
Status fitNumbers(PipelineProposal& proposal, const Catalog& catalog, int channels) {
  if (channels == 0) return {};
  for (const GraphNode& node : Graph(proposal.graph).nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr) continue;
    if (spec->category == Category::Colour) {
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                                bridgeNode(std::move(proposal.graph), catalog, node.id));
    } else if (spec->category == Category::Decode && spec->param("form") != nullptr) {
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph, setParameter(proposal.graph, catalog, node.id,
                                                             "form", std::string("stored")));
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph, setParameter(proposal.graph, catalog, node.id,
                                                             "channels", std::int64_t{channels}));
      proposal.notes += fmt::format(
          "Pictures are decoded to the numbers in their files ({}), because RGB does not hold "
          "them. ",
          counted(static_cast<std::uint64_t>(channels), "channel"));
    } else if (spec->param("mean") != nullptr && spec->canBypass) {
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                                setState(proposal.graph, catalog, node.id, NodeState::Bypass));
      proposal.notes += fmt::format(
          "{} is bypassed: set its mean and deviation to those of the data, and its state to "
          "`on`. ",
          spec->label);
    }
  }
  return {};
}

/// Shrinks crops to the smallest picture: a crop larger than a picture fails the sample.
Status fitCrops(PipelineProposal& proposal, const Catalog& catalog, const Size& least) {
  if (least.width <= 0 || least.height <= 0) return {};
  for (const GraphNode& node : Graph(proposal.graph).nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    // A resizing node takes pictures of any size.
    if (spec == nullptr || spec->category != Category::Geometry || spec->param("filter")) continue;
    for (const auto& [name, room] : {std::pair("width", least.width), {"height", least.height}}) {
      const auto param = node.params.find(name);
      const Value* value =
          param == node.params.end() ? nullptr : std::get_if<Value>(&param->second);
      const auto* side = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
      if (side == nullptr || *side <= room) continue;
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph, setParameter(proposal.graph, catalog, node.id, name,
                                                             Value{roundedDown(room)}));
      proposal.notes +=
          fmt::format("{} is {} px {}, because the smallest picture found has {}. ", spec->label,
                      roundedDown(room), std::string_view(name) == "width" ? "wide" : "high", room);
    }
  }
  return {};
}

/// Why masks are not converted, and how to change that.
std::string maskNote(const FolderContent& content, const GraphNode& node, const NodeSpec& spec) {
  if (content.colourMasks)
    return fmt::format(
        "Masks remain colours, because no table of their classes was found: to convert them, set "
        "`{}.colours` to a file with a line `name,r,g,b` for each class, and switch {} on. ",
        node.id, spec.label);
  const std::string found = content.highestIndex < 0
                                ? std::string()
                                : fmt::format(" (at least {})", content.highestIndex + 1);
  return fmt::format(
      "Masks remain class indices, because their number of classes is unknown: to convert them, "
      "set `{}.classes`{}, and switch {} on. ",
      node.id, found, spec.label);
}

/// Sets the parameters of masks: colours with their table, or indices, which are not converted
/// because their number is unknown.
Status fitMasks(PipelineProposal& proposal, const Catalog& catalog, const FolderContent& content) {
  for (const GraphNode& node : Graph(proposal.graph).nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || spec->role == NodeRole::Source) continue;
    const auto set = [&](const char* name, const Value& value) -> Status {
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                                setParameter(proposal.graph, catalog, node.id, name, value));
      return {};
    };
    if (content.colourMasks && spec->category == Category::Decode && spec->param("mask") != nullptr)
      MILLRACE_TRY(set("mask", std::string("rgb")));
    if (!spec->canBypass || spec->param("classes") == nullptr) continue;
    // The example's number is not that of this data. 0: as many as the table of colours has.
    MILLRACE_TRY(set("classes", std::int64_t{0}));
    if (content.colours.empty()) {
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                                setState(proposal.graph, catalog, node.id, NodeState::Bypass));
      proposal.notes += maskNote(content, node, *spec);
      continue;
    }
    MILLRACE_TRY(set("colours", content.colours.native()));
    if (!content.coloursComplete) MILLRACE_TRY(set("unknown", std::string("ignore")));
  }
  return {};
}

/// The highest number in the lists of classes, from samples at equal distances; -1: none.
std::int64_t highestClass(const Source& labels, std::uint32_t& examined) {
  constexpr std::uint32_t kMost = 10'000;
  constexpr std::uint64_t kBytes = std::uint64_t{64} << 20U;
  const std::uint32_t size = labels.size();
  const std::uint32_t count = std::min(size, kMost);
  const std::unique_ptr<SourceReader> reader = labels.reader();
  Sample sample;
  ReadCounters counters;
  std::int64_t highest = -1;
  for (examined = 0; examined < count && counters.bytes < kBytes; ++examined) {
    const auto index = static_cast<std::uint32_t>(std::uint64_t{examined} * size / count);
    sample.reset({0, index, 0}, 1);
    if (!reader->read(index, sample, counters)) continue;
    const auto elements = static_cast<std::size_t>(sample[0].shape.elements());
    for (std::size_t i = 0; i < elements; ++i)
      highest = std::max(highest,
                         nodes::integerAt(sample[0].as<std::byte>() + i * sizeOf(sample[0].dtype),
                                          sample[0].dtype));
  }
  return highest;
}

/// The kind of node that makes vectors of classes.
std::string vectorKind(const Catalog& catalog) {
  for (const std::string& kind : catalog.kinds())
    if (const NodeSpec* spec = catalog.find(kind);
        spec->category == Category::Tensor && spec->param("classes") != nullptr)
      return kind;
  return {};
}

/// Reads the lists of classes that the source found, and adds the node that makes vectors of them.
/// Nothing changes if they hold no class.
Status takeClassLists(PipelineProposal& proposal, const Catalog& catalog, const NodeId& source,
                      const Source& opened) {
  const auto* finds = dynamic_cast<const FindsClassLists*>(&opened);
  const auto lists = finds == nullptr ? std::nullopt : finds->classLists();
  if (!lists) return {};
  const auto reading = [&](const std::vector<std::string>& entries) {
    return setParameter(proposal.graph, catalog, source, lists->param, TextList(entries));
  };
  MILLRACE_ASSIGN_OR_RETURN(const Graph onlyLabels, reading({lists->entries.back()}));
  const auto labels = openSourceOf(onlyLabels, catalog);
  std::uint32_t examined = 0;
  const std::int64_t highest = labels ? highestClass(**labels, examined) : -1;
  if (highest < 0) return {};
  MILLRACE_ASSIGN_OR_RETURN(proposal.graph, reading(lists->entries));
  const auto batch = std::ranges::find_if(proposal.graph.nodes, [&](const GraphNode& node) {
    const NodeSpec* spec = catalog.find(node.kind);
    return spec != nullptr && spec->role == NodeRole::Batch;
  });
  MILLRACE_CHECK(batch != proposal.graph.nodes.end(), "every example has batches");
  const auto wire = std::ranges::find(proposal.graph.wires, batch->id, &GraphWire::to);
  MILLRACE_CHECK(wire != proposal.graph.wires.end(), "the nodes of examples are connected");
  MILLRACE_ASSIGN_OR_RETURN(
      auto added, insertNode(proposal.graph, catalog, vectorKind(catalog), wire->from, batch->id));
  const auto named = static_cast<std::int64_t>((*labels)->classes().size());
  MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                            setParameter(std::move(added.graph), catalog, added.id, "classes",
                                         named > highest ? 0 : highest + 1));
  proposal.notes +=
      fmt::format("`{}` holds several classes a sample: `{}` makes a vector of them. ",
                  visibleName(lists->key), added.id);
  if (named <= highest)
    proposal.notes += fmt::format(
        "It has {} classes, because the highest number in {} is {}: increase `{}.classes` if there "
        "are more. ",
        grouped(static_cast<std::uint64_t>(highest + 1)),
        examined == opened.size() ? "all samples" : counted(examined, "sample"), highest, added.id);
  return {};
}

/// The fields that no batch can hold.
std::string raggedNote(const std::vector<FieldSpec>& fields) {
  std::vector<std::string> names;
  for (const FieldSpec& field : fields)
    if (field.role == Role::Features && field.dtype != DType::Encoded && !field.shape.known())
      names.push_back("`" + field.name + "`");
  if (names.empty()) return {};
  return fmt::format(
      "The lists in {} have different lengths, so they form no batch: write them with one length, "
      "or leave them out. ",
      joinWords(names));
}

GraphNode& sourceOf(Graph& graph, const Catalog& catalog) {
  const GraphNode* source = firstSource(graph, catalog);
  MILLRACE_CHECK(source != nullptr, "every example has a source");
  return graph.nodes[static_cast<std::size_t>(source - graph.nodes.data())];
}

/// Replaces the example's source by the one of the container or table, and removes the nodes that
/// its samples do not need.
Result<SeenPictures> takeSource(PipelineProposal& proposal, const Catalog& catalog,
                                const FolderContent& content, const Values& given,
                                ListsOfClasses lists) {
  const NodeSpec* spec =
      catalog.find(content.format != nullptr ? content.format->name : "manifest");
  if (spec == nullptr) return Error{content.description};
  Graph& graph = proposal.graph;
  const GraphNode& source = sourceOf(graph, catalog);
  const auto place = &source - graph.nodes.data();
  MILLRACE_ASSIGN_OR_RETURN(auto renamed,
                            renameNode(graph, catalog, source.id, freeId(graph, spec->kind)));
  graph = std::move(renamed);
  GraphNode& node = graph.nodes[static_cast<std::size_t>(place)];
  node.kind = spec->kind;
  node.params.clear();
  Values values = spec->defaults();
  for (const auto& [name, value] : content.params) values[name] = value;
  for (const auto& [name, value] : given) values[name] = value;
  if (!content.params.contains("paths")) values["paths"] = TextList{content.paths.front().native()};
  if (content.paths.size() > 1) values["targets"] = content.paths.back().native();
  if (content.masks && content.format != nullptr) values["pair_role"] = std::string("mask");
  for (const auto& [name, value] : values) node.params[name] = value;
  BuildContext context;
  context.node = node.id;
  MILLRACE_ASSIGN_OR_RETURN(const auto opened, spec->source(values, context));
  bool pictures = false;
  bool files = false;
  for (const FieldSpec& field : opened->fields()) {
    pictures = pictures || isPicture(field.role);
    files = files || (isPicture(field.role) && field.dtype == DType::Encoded);
  }
  for (const GraphNode& other : Graph(graph).nodes) {
    const NodeSpec* kind = catalog.find(other.kind);
    if (kind == nullptr) continue;
    const bool works = kind->category == Category::Geometry || kind->category == Category::Colour ||
                       kind->category == Category::Tensor;
    if ((works && !pictures) || (kind->category == Category::Decode && !files)) {
      MILLRACE_ASSIGN_OR_RETURN(graph, bridgeNode(std::move(graph), catalog, other.id));
    }
  }
  if (lists == ListsOfClasses::Vector)
    MILLRACE_TRY(takeClassLists(proposal, catalog, graph.nodes[static_cast<std::size_t>(place)].id,
                                *opened));
  if (!pictures)
    proposal.notes += "Samples contain no pictures, so the pipeline does not process them. ";
  proposal.notes += raggedNote(opened->fields());
  SeenPictures seen = pictures ? picturesOf(*opened) : SeenPictures{};
  seen.arrays = pictures && !files;
  return seen;
}

/// In one folder the source finds the usual ends of names itself.
bool hasUsualEnds(const FolderContent& content) {
  if (!content.params.contains("target_suffix")) return true;
  const auto text = [&](const char* name) {
    const auto found = content.params.find(name);
    const auto* value =
        found == content.params.end() ? nullptr : std::get_if<std::string>(&found->second);
    return value == nullptr ? std::string() : *value;
  };
  return std::ranges::any_of(usualSuffixes(), [&](const UsualSuffixes& usual) {
    return usual.input == text("input_suffix") && usual.target == text("target_suffix");
  });
}

}  // namespace

Result<PipelineProposal> proposePipeline(const FolderContent& content, const Catalog& catalog,
                                         const Values& given, ListsOfClasses lists) {
  if (!isReadable(content)) return Error{content.description};
  PipelineProposal proposal;
  proposal.like = exampleFor(content);
  ReadGraph read = parseGraph(*exampleJson(proposal.like), catalog);
  MILLRACE_CHECK(read.graph.has_value(), "the shipped examples are valid");
  std::vector<std::string> paths;
  for (const auto& path : content.paths) paths.push_back(path.native());
  Graph example = std::move(*read.graph);
  SeenPictures seen{content.least, content.storedChannels, false};
  if (content.layout == DataLayout::Container || content.layout == DataLayout::Manifest) {
    proposal.graph = example;
    MILLRACE_ASSIGN_OR_RETURN(seen, takeSource(proposal, catalog, content, given, lists));
  } else {
    MILLRACE_ASSIGN_OR_RETURN(example, applyData(std::move(example), catalog, paths));
    proposal.graph = example;
    if (paths.size() > 1 || !hasUsualEnds(content))
      for (const auto& [name, value] : content.params)
        sourceOf(proposal.graph, catalog).params[name] = value;
  }
  MILLRACE_TRY(fitCrops(proposal, catalog, seen.least));
  MILLRACE_TRY(fitNumbers(proposal, catalog, seen.storedChannels));
  if (content.layout == DataLayout::Masks || content.masks)
    MILLRACE_TRY(fitMasks(proposal, catalog, content));
  if (seen.arrays) MILLRACE_TRY(fitStream(proposal, catalog));
  if (!proposal.notes.empty()) proposal.notes.pop_back();
  proposal.isExample = graphText(proposal.graph, catalog) == graphText(example, catalog);
  return proposal;
}

Result<std::shared_ptr<const Source>> openSourceOf(const Graph& graph, const Catalog& catalog,
                                                   const std::filesystem::path& base) {
  const GraphNode* node = firstSource(graph, catalog);
  if (node == nullptr) return Error{"the pipeline has no source"};
  const NodeSpec& spec = *catalog.find(node->kind);
  Values values = spec.defaults();
  for (const auto& [name, param] : node->params)
    if (const Value* value = std::get_if<Value>(&param)) values[name] = *value;
  BuildContext context;
  context.node = node->id;
  context.base = base;
  return spec.source(values, context);
}

}  // namespace millrace
