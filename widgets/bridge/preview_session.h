// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QProcess>
#include <QTimer>

#include "widgets/bridge/slice_pipe.h"
#include "widgets/models/preview_answer.h"

namespace millrace {

/// Which samples are wanted, behind which node of which document, saved or not.
struct PreviewWish {
  std::string pipeline;        ///< the document as JSON
  std::filesystem::path base;  ///< where relative paths start
  std::string node;            ///< empty: the last one that changes samples
  std::optional<quint64> seed;
  quint64 first = 0;
  int count = 16;
  int side = 192;  ///< of a picture, at most, in pixels

  bool operator==(const PreviewWish&) const = default;
};

/// Samples for a person to look at, made by a child that stays (`millrace preview --serve`). Only
/// the newest wish counts: what was asked before is dropped, here and in the child. A child that
/// dies, hangs or speaks nonsense is ended and becomes one sentence; the next wish starts another.
/// What was shown stays until something newer is there. GUI thread; never waits.
class PreviewSession : public QObject {
  Q_OBJECT
 public:
  enum class State : std::uint8_t {
    Idle,     ///< all that was wished for is there
    Working,  ///< asked for
    Slow,     ///< asked for long ago; the sentence says so
    Paused,   ///< a run goes on
    Failed    ///< the sentence says why
  };
  /// Milliseconds without a sample after which ...
  struct Patience {
    int slowMs = 2000;     ///< ... a person is told
    int giveUpMs = 60000;  ///< ... the child is ended; a first listing may take long
  };

  explicit PreviewSession(QObject* parent = nullptr);
  ~PreviewSession() override;

  /// Another program than engineProgram().
  void setProgram(const QString& program) { m_program = program; }
  void setPatience(const Patience& patience) { m_patience = patience; }

  /// Nothing happens where this is what was wished for last.
  void wish(const PreviewWish& wish);
  /// One sample larger, as soon as the wish is served; `closer` brings it.
  void lookCloser(const PreviewWish& wish);
  /// The same wish again, after a failure.
  void retry();
  /// Paused, it takes nothing of the machine: the child is not asked, and ended when at work.
  void setPaused(bool paused);
  /// Forgets the wish and its samples and ends the child.
  void rest();

  State state() const { return m_state; }
  /// What there is to say about the state; empty: nothing.
  const QString& sentence() const { return m_sentence; }
  /// In order. Those from `fresh()` on are of an older wish until their turn comes.
  const std::vector<ShownSample>& samples() const { return m_samples; }
  std::size_t fresh() const { return m_fresh; }
  qint64 processId() const { return m_process ? m_process->processId() : 0; }

 signals:
  /// State, sentence or samples.
  void changed();
  void closer(const millrace::ShownSample& sample);

 private:
  /// The request that the child works on.
  struct Sent {
    qint64 id = 0;
    bool isCloser = false;
    PreviewWish wish;
  };
  /// What one slice of the child's output held.
  struct Slice {
    std::vector<PreviewAnswer> answers;
    QString badLine;
  };
  static SlicePipe::Digest digestFor(PreviewSession* session);

  void begin();
  void advance();
  void send(const PreviewWish& wish, bool isCloser);
  bool launch();
  void childEnded();
  void endChild();
  void take(const Slice& slice);
  void take(const PreviewAnswer& answer);
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

  std::optional<PreviewWish> m_wish;
  std::optional<PreviewWish> m_closer;
  std::optional<Sent> m_sent;
  bool m_open = false;  ///< the wish is not answered yet
  bool m_paused = false;
  int m_deaths = 0;  ///< of children, over this wish
  qint64 m_lastId = 0;

  State m_state = State::Idle;
  QString m_sentence;
  std::vector<ShownSample> m_samples;
  std::size_t m_fresh = 0;
};

}  // namespace millrace
