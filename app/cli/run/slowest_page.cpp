// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/slowest_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/text/visible_text.h"

namespace millrace::cli {

namespace {

/// "21 ms in decode (JPEG by libjpeg), 1.2 MB, seen 3 times".
std::string detailOf(const SlowestSample& slow) {
  std::string text = fmt::format("{}, {} of it in {}", humanSeconds(slow.meanMs / 1e3),
                                 humanSeconds(slow.nodeMs / 1e3), visibleText(slow.node));
  if (!slow.route.empty()) text += fmt::format(" ({})", visibleText(slow.route));
  if (slow.bytes > 0) text += ", " + humanBytes(static_cast<double>(slow.bytes));
  if (slow.times > 1) text += fmt::format(", seen {} times", slow.times);
  return text;
}

std::string samplesText(const SlowestFigures& slowest, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, slowest.samples.size()); ++i) {
    const SlowestSample& slow = slowest.samples[i];
    text += "    " + wrapped(visibleName(slow.sample) + ": " + detailOf(slow), 6, 4);
  }
  return text;
}

/// "The slowest 100 of 9 080 samples took 31 % of the time".
std::string shareText(const SlowestFigures& slowest) {
  std::uint64_t times = 0;
  for (const SlowestSample& slow : slowest.samples) times += slow.times;
  return fmt::format(
      "the slowest {} of {} samples took {:.0f} % of the time; a sample takes {} "
      "on average",
      grouped(times), grouped(slowest.timed), 100 * slowest.share().value_or(0),
      humanSeconds(slowest.meanMs() / 1e3));
}

}  // namespace

std::string slowestLines(const SpanFigures& figures) {
  constexpr double kMuchSlower = 5;
  constexpr std::size_t kShown = 3;
  const SlowestFigures& slowest = figures.slowest;
  if (slowest.samples.empty() || slowest.samples.front().meanMs < kMuchSlower * slowest.meanMs())
    return {};
  return "\n  slow samples\n    " + wrapped(shareText(slowest), 4, 4) +
         samplesText(slowest, kShown);
}

std::string slowestPage(const SpanFigures& figures) {
  const SlowestFigures& slowest = figures.slowest;
  if (slowest.samples.empty())
    return "no times of single samples were kept: the run was measured by an older version, or "
           "no sample was timed\n";
  return wrapped(shareText(slowest), 0, 0) + samplesText(slowest, slowest.samples.size());
}

}  // namespace millrace::cli
