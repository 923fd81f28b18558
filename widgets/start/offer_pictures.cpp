// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/offer_pictures.h"

#include <algorithm>
#include <utility>

#include "core/graph/json/graph_json.h"
#include "core/open/sample_needs.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr int kSamples = 3;
constexpr int kPauseMs = 400;

/// The offer's rank in the order in which pictures are made.
int rankOf(const StartOffer& offer) {
  if (offer.isOwn) return 0;
  return missingSamples(offer.graph).empty() ? 1 : 2;
}

}  // namespace

OfferPictures::OfferPictures(const Catalog& catalog, QObject* parent)
    : QObject(parent), m_catalog(catalog) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &OfferPictures::advance);
  connect(&m_looks, &ExamplePictures::drawn, this, &OfferPictures::takeLook);
  connect(&m_session, &PreviewSession::changed, this, &OfferPictures::take);
}

void OfferPictures::ask(const StartOffer& offer) {
  if (offer.isOwn) {
    std::erase_if(m_waiting, [](const StartOffer& waiting) { return waiting.isOwn; });
  } else {
    if (m_asked.contains(offer.name)) return;
    if (m_asked.isEmpty()) m_pause.start();
    m_asked << offer.name;
  }
  m_waiting.push_back(offer);
  advance();
}

void OfferPictures::rest() {
  m_pause.stop();
  m_looks.stop();
  m_asked.clear();
  m_waiting.clear();
  m_current.reset();
  m_isRequested = false;
  m_session.rest();
}

void OfferPictures::advance() {
  if (m_current || m_waiting.empty()) return;
  const auto next = std::ranges::min_element(m_waiting, {}, rankOf);
  const std::vector<std::string> missing = missingSamples(next->graph);
  if (!missing.empty() && m_pause.isActive()) return;  // Called again when it ends.
  m_current = std::move(*next);
  m_waiting.erase(next);
  if (missing.empty())
    request(m_current->text);
  else
    m_looks.draw(toQt(missing.front()));
}

void OfferPictures::takeLook(const QString& kind, const QString& folder) {
  if (folder.isEmpty()) return conclude({}, "The first samples could not be generated.");
  request(graphText(withSamplesIn(m_current->graph, fromQt(kind), pathOf(folder)), m_catalog));
}

void OfferPictures::request(const std::string& pipeline) {
  m_isRequested = true;
  PreviewRequest request;
  request.pipeline = pipeline;
  request.base = "/";
  request.node = m_current->shown;
  request.count = kSamples;
  m_session.request(request);
  // The same request as last time: the result has already arrived, or the request has failed.
  take();
}

void OfferPictures::take() {
  const PreviewSession::State state = m_session.state();
  if (!m_isRequested || state == PreviewSession::State::Working ||
      state == PreviewSession::State::Slow)
    return;
  conclude(m_session.samples(),
           state == PreviewSession::State::Failed ? m_session.sentence() : QString());
}

void OfferPictures::conclude(const std::vector<ShownSample>& samples, const QString& failure) {
  m_isRequested = false;
  const StartOffer done = *std::exchange(m_current, std::nullopt);
  emit made(done, samples, failure);
  QMetaObject::invokeMethod(this, &OfferPictures::advance, Qt::QueuedConnection);
}

}  // namespace millrace
