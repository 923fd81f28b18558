// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonArray>
#include <QJsonObject>

#include "tests/widgets/stream_events.h"
#include "widgets/models/search/live_tune.h"

namespace millrace::tests {

/// An edit of a tuning: this number of threads instead of one.
inline QJsonObject threads(int to) {
  return {{"node", "workers"},
          {"param", "count"},
          {"from", "1"},
          {"to", QString::number(to)},
          {"changes_samples", "nothing"},
          {"text", QString("workers.count 1 -> %1").arg(to)}};
}

/// A tuning built from events: unmodified, 2 threads, 4 threads, a cache.
class TuneFromEvents {
 public:
  explicit TuneFromEvents(const SettingNames& names = {}) {
    tune.begin("small", 60, names);
    tell(tune, {{"event", "tune"}, {"experiment", "tuning of small"}, {"budget_seconds", 60}});
    begin(0, {});
  }
  void begin(int trial, const QJsonArray& edits) {
    tell(tune, {{"event", "trial_begun"},
                {"trial", trial},
                {"edits", edits},
                {"seconds_left", 50.0},
                {"run_id", QString::number(40 + trial)}});
  }
  void end(int trial, double rate, double bytes, double gain, int best) {
    tell(tune, {{"event", "trial_ended"},
                {"trial", trial},
                {"state", "measured"},
                {"repeat", 1},
                {"samples_per_second", QJsonObject{{"mean", rate}}},
                {"cores", 1.5},
                {"peak_rss_bytes", bytes},
                {"gain", gain},
                {"best", best}});
  }
  void space() {
    tell(tune, {{"event", "tune_space"},
                {"limit", QJsonObject{{"kind", "decode"}, {"node", "decode"}, {"sure", "likely"}}},
                {"axes", QJsonArray{QJsonObject{{"name", "workers.count"},
                                                {"levels", QJsonArray{"1", "2", "4"}}}}}});
  }
  void all() {
    end(0, 100, 5e7, 1, 0);
    space();
    begin(1, {threads(2)});
    end(1, 180, 6e7, 1.8, 1);
    begin(2, {threads(4)});
    end(2, 170, 8e7, 1.7, 1);
    begin(3, {QJsonObject{{"add", "cache"}, {"behind", "source"}, {"limit", "1000000"}}});
    tell(tune, {{"event", "trial_ended"},
                {"trial", 3},
                {"state", "over_limit"},
                {"reason", "it took 2 GB of memory"}});
  }

  LiveTune tune;
};

}  // namespace millrace::tests
