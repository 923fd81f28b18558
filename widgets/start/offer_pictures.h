// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "widgets/bridge/preview_session.h"
#include "widgets/bridge/sample_looks.h"
#include "widgets/start/start_offer.h"

namespace millrace {

/// Samples of offers, made by the engine, one offer after the other: a person's own first, then
/// examples whose data is there, then the others, of whose data the first samples are drawn for
/// that. GUI thread; never waits.
class OfferPictures : public QObject {
  Q_OBJECT
 public:
  /// `catalog` outlives it.
  explicit OfferPictures(const Catalog& catalog, QObject* parent = nullptr);

  /// The engine in another place than engineProgram().
  void setProgram(const QString& program) { m_session.setProgram(program); }
  /// An example once until rest(); of own ones the newest alone.
  void ask(const StartOffer& offer);
  /// Drops what was asked for and ends the work.
  void rest();
  bool isAtWork() const { return m_current.has_value() || !m_waiting.empty(); }

 signals:
  /// `failure`: why there are none, as a sentence.
  void made(const millrace::StartOffer& offer, const std::vector<millrace::ShownSample>& samples,
            const QString& failure);

 private:
  void advance();
  void takeLook(const QString& kind, const QString& folder);
  void wish(const std::string& pipeline);
  void take();
  void conclude(const std::vector<ShownSample>& samples, const QString& failure);

  const Catalog& m_catalog;
  SampleLooks m_looks;
  PreviewSession m_session;
  QTimer m_pause;  ///< since the first was asked for: nothing is drawn before the window stands
  QStringList m_asked;
  std::vector<StartOffer> m_waiting;
  std::optional<StartOffer> m_current;
  bool m_isWished = false;  ///< the session works on the current one
};

}  // namespace millrace
