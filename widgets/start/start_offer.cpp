// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_offer.h"

#include <algorithm>

#include <QFileInfo>

#include "core/base/check.h"
#include "core/graph/json/graph_json.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/open/examples.h"
#include "core/open/sample_needs.h"
#include "core/sample_data/sample_data.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// The last node whose pictures have not yet been converted to numbers for a network.
std::string nodeToShow(const Graph& graph, const Catalog& catalog) {
  std::string found;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec != nullptr &&
        (spec->category == Category::Decode || spec->category == Category::Geometry ||
         spec->category == Category::Colour))
      found = node.id;
  }
  return found;
}

void fill(StartOffer& offer, const Catalog& catalog) {
  offer.text = graphText(offer.graph, catalog);
  offer.shown = nodeToShow(offer.graph, catalog);
  for (const std::string& name : sampleNeeds(offer.graph)) offer.samples << toQt(name);
}

/// The examples read the part for training.
void describeData(StartOffer& offer) {
  for (const SampleKind& kind : sampleKinds()) {
    if (!offer.samples.contains(toQt(kind.name))) continue;
    const auto shown = [&](std::uint32_t count) {
      return shownNumber(std::int64_t{count} * kind.samplesEach);
    };
    const QString all = shown(kind.defaultCount) + " generated";
    const QString read = shown(kind.training);
    offer.count = read + " samples";
    offer.data =
        kind.training == kind.defaultCount ? all + " samples" : all + ", " + read + " for training";
    return;
  }
}

}  // namespace

std::vector<StartOffer> shippedOffers(const Catalog& catalog) {
  std::vector<StartOffer> offers;
  for (const Example& example : examples()) {
    StartOffer offer;
    offer.name = toQt(example.name);
    offer.title = QString(offer.name).replace('-', ' ');
    offer.title[0] = offer.title[0].toUpper();
    offer.description = sentence(example.description).remove('`');
    ReadGraph read = parseGraph(*exampleJson(example.name), catalog);
    MILLRACE_CHECK(read.graph.has_value(), "the shipped examples are valid");
    offer.graph = std::move(*read.graph);
    fill(offer, catalog);
    describeData(offer);
    offers.push_back(std::move(offer));
  }
  return offers;
}

Result<StartOffer> ownOffer(const QString& folder, const FolderContent& content,
                            const Catalog& catalog) {
  MILLRACE_ASSIGN_OR_RETURN(auto proposal, proposePipeline(content, catalog));
  StartOffer offer;
  offer.name = QFileInfo(folder).fileName();
  if (offer.name.isEmpty()) offer.name = "my data";
  offer.title = offer.name;
  offer.data = toQt(content.description).remove('`');
  offer.description = toQt(proposal.notes);
  offer.graph = std::move(proposal.graph);
  offer.isOwn = true;
  fill(offer, catalog);
  return offer;
}

}  // namespace millrace
