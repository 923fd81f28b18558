// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QProcess>
#include <QTimer>

#include "core/events/jobs/preview_json.h"
#include "core/preview/preview_request.h"
#include "widgets/bridge/slice_pipe.h"
#include "widgets/models/shown_sample.h"

namespace millrace {

/// Samples for the user to look at, made by a long-lived child (`millrace preview --serve`). Only
/// the newest request counts: older ones are dropped, here and in the child. A child that dies,
/// hangs or breaks the protocol is ended and reported in one sentence; the next request starts
/// another. Old samples stay visible until newer ones arrive. GUI thread; never waits.
class PreviewSession : public QObject {
  Q_OBJECT
 public:
  enum class State : std::uint8_t {
    Idle,     ///< everything requested is there
    Working,  ///< waiting for samples
    Slow,     ///< waiting for a long time; see the sentence
    Paused,   ///< a run is in progress
    Failed    ///< the sentence says why
  };
  /// Milliseconds without a sample after which ...
  struct Patience {
    int slowMs = 2000;     ///< ... the user is informed
    int giveUpMs = 60000;  ///< ... the child is ended; a first listing may take long
  };

  explicit PreviewSession(QObject* parent = nullptr);
  ~PreviewSession() override;

  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  void setPatience(const Patience& patience) { m_patience = patience; }

  /// Does nothing if this was also the last request.
  void request(const PreviewRequest& request);
  /// Requests single samples in a larger size, in this order, once the current request is served;
  /// `closer` delivers each. They replace earlier ones.
  void requestLarger(std::vector<PreviewRequest> requests);
  /// Repeats the request after a failure.
  void retry();
  /// While paused it uses no resources: the child gets no requests, and is ended if it is working.
  void setPaused(bool paused);
  /// Forgets the request and its samples and ends the child.
  void rest();

  State state() const { return m_state; }
  /// A sentence about the state; empty if there is nothing to say.
  const QString& sentence() const { return m_sentence; }
  /// In order. The samples from `fresh()` on are of an older request until their turn comes.
  const std::vector<ShownSample>& samples() const { return m_samples; }
  std::size_t fresh() const { return m_fresh; }
  qint64 processId() const { return m_process ? m_process->processId() : 0; }

 signals:
  /// State, sentence or samples have changed.
  void changed();
  void closer(const millrace::ShownSample& sample);

 private:
  /// The request that the child is working on.
  struct Sent {
    qint64 id = 0;
    bool isCloser = false;
    PreviewRequest request;
  };
  /// A line of the child's output, its pictures decoded.
  struct Answer {
    PreviewAnswer line;
    ShownSample sample;
  };
  /// The content of one slice of the child's output.
  struct Slice {
    std::vector<Answer> answers;
    QString badLine;
  };
  static SlicePipe::Digest digestFor(PreviewSession* session);

  void begin();
  void advance();
  void send(const PreviewRequest& request, bool isCloser);
  bool launch();
  void childEnded();
  void endChild();
  void take(const Slice& slice);
  void take(const Answer& answer);
  void place(const ShownSample& sample);
  void served();
  void impatient();
  void fail(const QString& sentence);
  void show(State state, const QString& sentence = {});
  QString deathSentence() const;

  QString m_program;
  Patience m_patience;
  std::unique_ptr<QProcess> m_process;
  std::unique_ptr<SlicePipe> m_pipe;
  QByteArray m_words;
  QTimer m_timer;

  std::optional<PreviewRequest> m_request;
  std::vector<PreviewRequest> m_closers;
  std::optional<Sent> m_sent;
  bool m_open = false;  ///< the request is not fully answered yet
  bool m_paused = false;
  int m_deaths = 0;  ///< of children during this request
  qint64 m_lastId = 0;

  State m_state = State::Idle;
  QString m_sentence;
  std::vector<ShownSample> m_samples;
  std::size_t m_fresh = 0;
};

}  // namespace millrace
