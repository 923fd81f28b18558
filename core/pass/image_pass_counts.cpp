// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/image_pass_counts.h"

#include <iterator>

namespace millrace {

namespace {

constexpr const char* kLeftNames[] = {"JPEG left to nvJPEG",
                                      "not for nvJPEG: no JPEG",
                                      "not for nvJPEG: not baseline",
                                      "not for nvJPEG: not three colours",
                                      "not for nvJPEG: turned by EXIF",
                                      "not for nvJPEG: truncated"};
// Stored runs contain these names, so they do not change.
constexpr const char* kIndexNames[] = {
    "JPEG decoded by the side index", "MCUs skipped by the side index",
    "side indices made or made longer",
    "side indices damaged or of another file, made anew",  // words: ok
};

constexpr const char* kPlanesName = "JPEG resized as planes";

constexpr std::size_t kLeftPlaces = kDecodeRoutes - 1;
constexpr std::size_t kIndexPlaces = kLeftPlaces + std::size(kLeftNames);
constexpr std::size_t kPlanesPlace = kIndexPlaces + std::size(kIndexNames);
constexpr std::size_t kReductionPlaces = kPlanesPlace + 1;

}  // namespace

std::vector<std::string> imagePassCounts() {
  std::vector<std::string> names;
  for (std::size_t r = 1; r < kDecodeRoutes; ++r)
    names.push_back(describe(static_cast<DecodeRoute>(r)));
  names.insert(names.end(), std::begin(kLeftNames), std::end(kLeftNames));
  names.insert(names.end(), std::begin(kIndexNames), std::end(kIndexNames));
  names.emplace_back(kPlanesName);
  for (std::size_t r = 0; r < kReductions; ++r)
    names.emplace_back(counterOf(static_cast<Reduction>(r)));
  return names;
}

void countRoute(DecodeRoute route, const OpContext& context) {
  if (route != DecodeRoute::Other) context.count(static_cast<std::size_t>(route) - 1);
}

void countLeft(LeftPlace place, const OpContext& context) {
  context.count(kLeftPlaces + static_cast<std::size_t>(place));
}

void countIndex(const SideIndexUse& use, const OpContext& context) {
  const std::size_t counts[] = {use.skippedMcus > 0 ? std::size_t{1} : 0, use.skippedMcus,
                                use.changed ? std::size_t{1} : 0, use.wrong ? std::size_t{1} : 0};
  for (std::size_t i = 0; i < std::size(counts); ++i)
    if (counts[i] > 0) context.count(kIndexPlaces + i, counts[i]);
}

void countPlanes(const OpContext& context) { context.count(kPlanesPlace); }

void countReductions(Reductions lost, const OpContext& context) {
  for (std::size_t r = 0; r < kReductions; ++r)
    if (lost.has(static_cast<Reduction>(r))) context.count(kReductionPlaces + r);
}

}  // namespace millrace
