// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How long a frame of the trace's timeline takes, drawn offscreen: `trace_paint`. A million spans
// on eight threads, at 1400 x 500 pixels: the whole repeat, a tenth, a thousandth of it. The same
// frames with a hundredth of the spans show that the time depends on pixels instead of spans.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include "widgets/common/theme.h"
#include "widgets/trace/trace_view.h"

namespace {

using namespace millrace;

std::shared_ptr<TraceFile> traceOf(std::uint64_t spans) {
  auto file = std::make_shared<TraceFile>();
  file->texts = {"decode + resize", "row", "batch", "waits for a slot"};
  file->categories = {"decode", "batch", "step", "wait"};
  file->repeats = {"repeat 1"};
  constexpr std::uint64_t kThreads = 8;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    TraceFile::Track track{0, "workers:" + std::to_string(t), {}};
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < spans / kThreads; ++i) {
      const std::uint64_t length = 2000 + (i * 7919 + t) % 5000;
      track.spans.push_back({at, at + length, static_cast<std::uint32_t>(i % 4),
                             static_cast<std::uint32_t>(i % 4), TraceFile::kNoText, i, i / 64});
      at += length + (i % 3) * 400;
    }
    file->lengthNs = std::max(file->lengthNs, at);
    file->tracks.push_back(std::move(track));
  }
  file->spanCount = spans;
  return file;
}

void measure(std::uint64_t spans, double share) {
  TraceView view;
  view.resize(1400, 500);
  view.ensurePolished();
  view.showTrace(traceOf(spans), 0);
  const auto length = static_cast<double>(view.rows().lengthNs());
  view.showSpan(length * 0.4, length * (0.4 + share * 0.6));
  QImage image(view.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
  std::vector<double> times;
  for (int frame = 0; frame < 30; ++frame) {
    QPainter painter(&image);
    const auto begin = std::chrono::steady_clock::now();
    view.paintTo(painter, image.size());
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
  }
  std::ranges::sort(times);
  std::printf("%8llu spans, %7.3f %% shown: median %6.2f ms, worst %6.2f ms\n",
              static_cast<unsigned long long>(spans), 100 * share, times[times.size() / 2],
              times.back());
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  applyTheme(Appearance::Light);
  for (const std::uint64_t spans : {std::uint64_t{10'000}, std::uint64_t{1'000'000}})
    for (const double share : {1.0, 0.1, 0.001}) measure(spans, share);
}
