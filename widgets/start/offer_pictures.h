// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "widgets/bridge/example_pictures.h"
#include "widgets/bridge/preview_session.h"
#include "widgets/start/start_offer.h"

namespace millrace {

/// Makes samples of offers with the engine, one offer after the other: first the user's own folder,
/// then examples whose data exists, then the others, for which the first samples are generated. GUI
/// thread; never waits.
class OfferPictures : public QObject {
  Q_OBJECT
 public:
  /// `catalog` must outlive this object.
  explicit OfferPictures(const Catalog& catalog, QObject* parent = nullptr);

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_session.setProgram(program); }
  /// An example is requested once until rest(); of the user's own folders only the newest.
  void ask(const StartOffer& offer);
  /// Drops all requests and ends the work.
  void rest();
  bool isAtWork() const { return m_current.has_value() || !m_waiting.empty(); }

 signals:
  /// `failure`: why there are no samples, as a sentence.
  void made(const millrace::StartOffer& offer, const std::vector<millrace::ShownSample>& samples,
            const QString& failure);

 private:
  void advance();
  void takeLook(const QString& kind, const QString& folder);
  void request(const std::string& pipeline);
  void take();
  void conclude(const std::vector<ShownSample>& samples, const QString& failure);

  const Catalog& m_catalog;
  ExamplePictures m_looks;
  PreviewSession m_session;
  QTimer m_pause;  ///< after the first request, so that the window is shown first
  QStringList m_asked;
  std::vector<StartOffer> m_waiting;
  std::optional<StartOffer> m_current;
  bool m_isRequested = false;  ///< the session is working on the current one
};

}  // namespace millrace
