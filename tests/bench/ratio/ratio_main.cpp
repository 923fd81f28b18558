// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Ratios of the engine to the machine's limits, measured in alternation in one run:
//   ratio_engine photos FOLDER [BLOCKS [SECONDS]]   against a bare loop over the same calls
//   ratio_engine scaling FOLDER [BLOCKS [SECONDS]]  gain from one worker to two, against the loop's
//   ratio_engine rate FOLDER [SECONDS]              photos a second with two workers, a bare number
//   ratio_engine cache [BLOCKS [SECONDS]]           decoded cache against memcpy
//   ratio_engine tiny [BLOCKS [SECONDS]]            64-byte samples: the engine's own cost
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "core/data/buffer.h"
#include "tests/bench/ratio/bare_photo_loop.h"
#include "tests/bench/ratio/engine_runs.h"

namespace millrace::bench {

namespace {

constexpr double kWarmup = 1.0;

/// A chain of nodes, each with its kind and parameters.
std::string chain(const std::vector<std::pair<std::string, std::string>>& nodes) {
  std::string list;
  std::string wires;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& [kind, params] = nodes[i];
    list += fmt::format(R"({}{{"id": "{}", "kind": "{}", "params": {}}})", i > 0 ? ", " : "", kind,
                        kind, params);
    if (i > 0)
      wires += fmt::format(R"({}{{"from": "{}", "to": "{}"}})", i > 1 ? ", " : "",
                           nodes[i - 1].first, kind);
  }
  return fmt::format(R"({{"format_version": 1, "seed": 1, "nodes": [{}], "wires": [{}]}})", list,
                     wires);
}

std::string photos(const std::string& folder, std::size_t workers) {
  return chain({{"image_folder", fmt::format(R"({{"paths": ["{}"]}})", folder)},
                {"shuffle", "{}"},
                {"workers", fmt::format(R"({{"count": {}}})", workers)},
                {"decode", "{}"},
                {"random_resized_crop", R"({"height": 224, "width": 224})"},
                {"flip", "{}"},
                {"normalise", "{}"},
                {"precision", R"({"dtype": "f32", "layout": "nchw"})"},
                {"batch", R"({"size": 64})"},
                {"prefetch", R"({"batches": 2})"},
                {"drain", "{}"}});
}

void comparePhotos(const std::string& folder, int blocks, double seconds) {
  BarePhotoLoop bare(folder);
  for (const std::size_t threads : {1, 2}) {
    const BenchPipeline engine = pipelineFrom(photos(folder, threads));
    const Comparison comparison = inTurns(
        blocks, [&] { return engineRate(engine, kWarmup, seconds); },
        [&] { return bare.rate(threads, kWarmup, seconds); });
    printRatio(fmt::format("photos, {} worker(s), engine / bare loop", threads), "photos/s",
               comparison);
  }
}

void compareScaling(const std::string& folder, int blocks, double seconds) {
  BarePhotoLoop bare(folder);
  const BenchPipeline one = pipelineFrom(photos(folder, 1));
  const BenchPipeline two = pipelineFrom(photos(folder, 2));
  Comparison gains;
  for (int block = 0; block < blocks; ++block) {
    const double engineOne = engineRate(one, kWarmup, seconds);
    const double bareOne = bare.rate(1, kWarmup, seconds);
    const double engineTwo = engineRate(two, kWarmup, seconds);
    const double bareTwo = bare.rate(2, kWarmup, seconds);
    gains.first.push_back(engineTwo / engineOne);
    gains.second.push_back(bareTwo / bareOne);
  }
  printRatio("photos, gain from one to two workers, engine / bare loop", "times", gains);
}

/// Bytes per second that two threads copy, each its half of 256 MiB, counted once.
double memcpyRate(double seconds) {
  constexpr std::size_t kBytes = std::size_t{128} << 20U;
  std::vector<std::thread> threads;
  std::array<double, 2> rates{};
  for (std::size_t t = 0; t < rates.size(); ++t)
    threads.emplace_back([&rates, t, seconds] {
      Buffer from;
      Buffer to;
      std::memset(from.reserve(kBytes), 1, kBytes);
      std::memset(to.reserve(kBytes), 2, kBytes);
      const SteadyTime begin = steadyClock().now();
      std::size_t copied = 0;
      double span = 0;
      for (; span < seconds; span = toSeconds(steadyClock().now() - begin)) {
        std::memcpy(to.data(), from.data(), kBytes);
        copied += kBytes;
      }
      rates[t] = static_cast<double>(copied) / span;
    });
  for (std::thread& thread : threads) thread.join();
  return rates[0] + rates[1];
}

void compareCache(int blocks, double seconds) {
  const BenchPipeline cached =
      pipelineFrom(chain({{"synthetic", R"({"count": 2048, "content": "image", "classes": 0})"},
                          {"workers", R"({"count": 2})"},
                          {"memory_cache", R"({"limit": 2000000000})"},
                          {"batch", R"({"size": 256})"},
                          {"prefetch", R"({"batches": 2})"},
                          {"drain", "{}"}}));
  constexpr double kSample = 224.0 * 224 * 3;
  const Comparison comparison = inTurns(
      blocks, [&] { return engineRate(cached, kWarmup, seconds) * kSample; },
      [&] { return memcpyRate(seconds); });
  printRatio("decoded cache, 2 workers, engine / memcpy", "bytes/s", comparison);
}

void tiny(int blocks, double seconds) {
  for (const std::size_t workers : {1, 2}) {
    const BenchPipeline pipeline =
        pipelineFrom(chain({{"synthetic", R"({"count": 1000000, "length": 64, "classes": 0})"},
                            {"workers", fmt::format(R"({{"count": {}}})", workers)},
                            {"batch", R"({"size": 256})"},
                            {"prefetch", R"({"batches": 2})"},
                            {"drain", "{}"}}));
    for (int block = 0; block < blocks; ++block) {
      const double rate = engineRate(pipeline, kWarmup, seconds);
      fmt::print("tiny samples, {} worker(s): {:.3g} samples/s, {:.0f} ns a sample and worker\n",
                 workers, rate, 1e9 * static_cast<double>(workers) / rate);
      std::fflush(stdout);
    }
  }
}

int usage() {
  fmt::print(stderr,
             "usage: ratio_engine photos|scaling FOLDER [BLOCKS [SECONDS]]\n"
             "       ratio_engine rate FOLDER [SECONDS]\n"
             "       ratio_engine cache|tiny [BLOCKS [SECONDS]]\n");
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return usage();
  const std::string& what = arguments[0];
  const bool needsFolder = what == "photos" || what == "scaling" || what == "rate";
  const std::size_t first = needsFolder ? 2 : 1;
  if (arguments.size() < first) return usage();
  if (what == "rate") {
    const double span = arguments.size() > 2 ? std::atof(arguments[2].c_str()) : 3.0;
    fmt::print("{:.3f}\n", engineRate(pipelineFrom(photos(arguments[1], 2)), kWarmup, span));
    return 0;
  }
  const int blocks = arguments.size() > first ? std::atoi(arguments[first].c_str()) : 6;
  const double seconds =
      arguments.size() > first + 1 ? std::atof(arguments[first + 1].c_str()) : 3.0;
  if (what == "photos") return comparePhotos(arguments[1], blocks, seconds), 0;
  if (what == "scaling") return compareScaling(arguments[1], blocks, seconds), 0;
  if (what == "cache") return compareCache(blocks, seconds), 0;
  if (what == "tiny") return tiny(blocks, seconds), 0;
  return usage();
}

}  // namespace

}  // namespace millrace::bench

int main(int argc, char** argv) {
  return millrace::bench::run(std::vector<std::string>(argv + 1, argv + argc));
}
