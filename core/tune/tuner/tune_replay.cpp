// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_replay.h"

#include <utility>

namespace millrace {

TuneReplay::TuneReplay(std::vector<KeptTrial> trials) : m_trials(std::move(trials)) {
  for (std::size_t i = m_trials.size(); i > 0; --i)
    if (const std::string& document = m_trials[i - 1].document; !document.empty())
      m_left[document].push_back(i - 1);
}

const KeptTrial* TuneReplay::next(const std::string& document) {
  const auto found = m_left.find(document);
  if (found == m_left.end() || found->second.empty()) return nullptr;
  const std::size_t trial = found->second.back();
  found->second.pop_back();
  return &m_trials[trial];
}

}  // namespace millrace
