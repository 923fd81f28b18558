// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/sample_record.h"

namespace millrace {

namespace {

struct FindingText {
  std::string_view name;
  std::string_view one;
  std::string_view many;
};

constexpr std::array<FindingText, kFindings> kTexts = {{
    {"unreadable", "cannot be read", "cannot be read"},
    {"hanging", "did not end in time", "did not end in time"},
    {"broken", "cannot be decoded", "cannot be decoded"},
    {"truncated", "is cut off", "are cut off"},
    {"damaged", "has damage that readers skip", "have damage that readers skip"},
    {"not-finite", "has values that are not finite", "have values that are not finite"},
    {"mismatched", "has a mask of another size", "have masks of another size"},
    {"constant", "has one colour only", "have one colour only"},
    {"blank", "is nearly uniform", "are nearly uniform"},
    {"tiny", "has a side below 32 pixels", "have a side below 32 pixels"},
    {"duplicates", "is a copy of an earlier sample", "are copies of earlier samples"},
    {"conflicts", "has a copy in another class", "have copies in another class"},
    {"near-duplicates", "looks like an earlier sample", "look like earlier samples"},
    {"shared", "is also in another set", "are also in another set"},
    {"near-shared", "looks like a sample of another set", "look like samples of another set"},
}};
static_assert(kTinySide == 32, "the text of `tiny` contains it");

}  // namespace

std::string_view nameOf(Finding finding) {
  return kTexts.at(static_cast<std::size_t>(finding)).name;
}

std::string_view meaningOf(Finding finding, bool one) {
  const FindingText& text = kTexts.at(static_cast<std::size_t>(finding));
  return one ? text.one : text.many;
}

bool isLeftOut(Finding finding) {
  switch (finding) {
    case Finding::Unreadable:
    case Finding::Hanging:
    case Finding::Broken:
    case Finding::Truncated:
    case Finding::NotFinite:
    case Finding::Mismatched:
    case Finding::Constant:
    case Finding::Duplicate:
    case Finding::Conflict: return true;
    case Finding::Damaged:
    case Finding::Blank:
    case Finding::Tiny:
    case Finding::NearDuplicate:
    case Finding::Shared:
    case Finding::NearShared: return false;
  }
  return false;
}

void ChannelSums::add(const ChannelSums& other) {
  if (other.pictures == 0) return;
  if (pictures == 0) channels = other.channels;
  if (channels != other.channels) return;
  pictures += other.pictures;
  for (std::size_t c = 0; c < kMost; ++c) {
    mean[c] += other.mean[c];
    meanSquare[c] += other.meanSquare[c];
  }
}

}  // namespace millrace
