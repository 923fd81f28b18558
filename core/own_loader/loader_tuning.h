// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/base/mutex.h"
#include "core/own_loader/loader_run.h"

namespace millrace {

/// Arguments of a DataLoader, or settings of a tf.data.Dataset, by name, as texts.
using LoaderSet = std::vector<std::pair<std::string, std::string>>;

/// One measurement of a search. Value.
struct LoaderTrial {
  LoaderSet set;        ///< in place of those in the file
  double rate = 0;      ///< samples per second; 0: it failed
  std::string failure;  ///< a sentence
};

/// How a search ended. Value.
struct LoaderTuned {
  LoaderFacts facts;  ///< of the unchanged loader
  std::vector<LoaderTrial> trials;
  LoaderSet best;   ///< empty: nothing was better
  Verdict verdict;  ///< the unchanged loader and the one with `best`, measured together; only if
                    ///< there is one
  bool stopped = false;
};

/// Finds better arguments for a user's DataLoader or tf.data.Dataset. Each argument is varied while
/// the others keep the best values so far, in the order of the list in the source file; then the
/// unchanged loader and the best one are measured in blocks. `run` once, on one thread; `stop` from
/// any.
class LoaderTuning {
 public:
  struct Settings {
    OwnLoader loader;          ///< arguments that are set in it are not varied
    double warmupSeconds = 1;  ///< of each measurement
    double seconds = 3;
    double coresUsable = 1;
  };
  /// `onTrial` gets each trial when it has ended, on the thread of `run`.
  LoaderTuning(Settings settings, std::function<void(const LoaderTrial&)> onTrial);

  /// The error says why the loader cannot be measured at all, or that it is of another kind.
  Result<LoaderTuned> run();
  void stop() MILLRACE_EXCLUDES(m_mutex);

 private:
  bool stopped() MILLRACE_EXCLUDES(m_mutex);
  /// The rate with these arguments; an error says why it could not be measured.
  Result<double> rateWith(const LoaderSet& set, LoaderFacts& facts);
  LoaderTrial tried(const LoaderSet& set);
  void vary(const std::string& name, const std::vector<std::string>& values);
  Status compare();

  const Settings m_settings;
  const std::function<void(const LoaderTrial&)> m_onTrial;
  LoaderTuned m_result;
  double m_bestRate = 0;
  Mutex m_mutex;
  LoaderRun* m_run MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
