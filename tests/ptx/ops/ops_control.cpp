// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Jumps, ends, barriers and communication between the lanes of a warp.
#include "tests/ptx/handlers.h"

namespace millrace::ptx {

namespace {

void makeBra(Translation& t) {
  t.allow({"uni"});
  Instruction& i = t.emit(nullptr);
  i.step = Step::Jump;
  t.jumpTo(i, t.operand(0).name);
}

void makeRet(Translation& t) {
  t.allow({"uni"});
  Instruction& i = t.emit(nullptr);
  i.step = t.isInlined() ? Step::Jump : Step::Exit;
  if (t.isInlined()) t.leave(i);
}

void makeExit(Translation& t) {
  t.allow({});
  t.emit(nullptr).step = Step::Exit;
}

void makeCall(Translation& t) {
  t.allow({"uni"});
  t.call();
}

/// bar.sync 0 and barrier.sync 0: all threads of the block at the same instruction.
void makeBarrier(Translation& t) {
  t.allow({"sync", "cta", "aligned"});
  if (!t.has("sync") || t.operandCount() != 1 || t.operand(0).form != Operand::Form::Immediate ||
      t.operand(0).bits != 0)
    t.unknown("only barrier 0 of the whole block is known");
  t.emit(nullptr).step = Step::Barrier;
}

void trapped(Warp& warp, const Instruction&) {
  throw Fault(Fault::Kind::Instruction, std::countr_zero(warp.active), "trap");
}
void makeTrap(Translation& t) {
  t.allow({});
  t.emit(&trapped);
}

/// Memory is always up to date here.
void makeFence(Translation& t) { t.allow({"sc", "acq_rel", "cta", "gl", "gpu", "sys"}); }

enum class Shuffle : std::uint8_t { Up, Down, Across, Index };

/// Sets the lane that `lane` reads from (PTX ISA, shfl.sync); returns whether it is in its segment.
bool sourceLane(Shuffle how, int lane, std::uint32_t b, std::uint32_t c, int& from) {
  const auto at = static_cast<std::uint32_t>(lane);
  const std::uint32_t segment = c >> 8U & 31U;
  const std::uint32_t clamp = c & 31U;
  const std::uint32_t last = (at & segment) | (clamp & ~segment);
  const std::uint32_t first = at & segment;
  const std::uint32_t by = b & 31U;
  bool inside = false;
  std::uint32_t to = at;
  switch (how) {
    case Shuffle::Up:
      to = at - by;
      inside = static_cast<std::int32_t>(to) >= static_cast<std::int32_t>(last);
      break;
    case Shuffle::Down:
      to = at + by;
      inside = to <= last;
      break;
    case Shuffle::Across:
      to = at ^ by;
      inside = to <= last;
      break;
    case Shuffle::Index:
      to = first | (by & ~segment);
      inside = to <= last;
      break;
  }
  from = inside ? static_cast<int>(to) : lane;
  return inside;
}

/// more: the position of the predicate, or none; the mask is c of the scheduler.
template <Shuffle kHow>
void shuffle(Warp& warp, const Instruction& i) {
  const auto* const a = warp.lanes<std::uint32_t>(i.a);
  const auto* const b = warp.lanes<std::uint32_t>(i.b);
  const auto* const c = warp.lanes<std::uint32_t>(i.more[1]);
  auto* const d = warp.lanes<std::uint32_t>(i.d);
  std::uint32_t values[kLanes] = {};
  std::uint32_t inside = 0;
  warp.eachInOrder([&](int lane) {
    int from = lane;
    if (sourceLane(kHow, lane, b[lane], c[lane], from)) inside |= 1U << static_cast<unsigned>(lane);
    if ((warp.active >> static_cast<unsigned>(from) & 1U) == 0)
      throw Fault(Fault::Kind::Barrier, lane,
                  "shuffle from lane " + std::to_string(from) + ", which takes no part in it");
    values[lane] = a[from];
  });
  warp.eachInOrder([&](int lane) { d[lane] = values[lane]; });
  if (i.more[0] == UINT32_MAX) return;
  std::uint32_t& p = warp.predicate(i.more[0]);
  p = (p & ~warp.active) | (inside & warp.active);
}

void makeShfl(Translation& t) {
  t.allow({"sync", "up", "down", "bfly", "idx"});
  if (!t.has("sync")) t.unknown();
  const Handler run = t.has("up")     ? &shuffle<Shuffle::Up>
                      : t.has("down") ? &shuffle<Shuffle::Down>
                      : t.has("bfly") ? &shuffle<Shuffle::Across>
                                      : &shuffle<Shuffle::Index>;
  const std::uint32_t a = t.source(t.operand(1), 4);
  const std::uint32_t b = t.source(t.operand(2), 4);
  const std::uint32_t c = t.source(t.operand(3), 4);
  const std::uint32_t mask = t.source(t.operand(4), 4);
  const std::uint32_t d = t.result(t.operand(0), {Type::Kind::Bits, 4});
  const std::uint32_t second = t.operand(0).second;
  const std::uint32_t inside = second == 0 ? UINT32_MAX : t.predicate(second - 1);
  Instruction& i = t.emit(run);
  i.step = Step::WarpSync;
  i.a = a;
  i.b = b;
  i.c = mask;
  i.d = d;
  i.more[0] = inside;
  i.more[1] = c;
}

void ballot(Warp& warp, const Instruction& i) {
  auto* const d = warp.lanes<std::uint32_t>(i.d);
  std::uint32_t votes = warp.predicate(i.a) & warp.active;
  warp.each([=](int lane) { d[lane] = votes; });
}
enum Vote : std::uint8_t { All, Any, Uniform };
void vote(Warp& warp, const Instruction& i) {
  const std::uint32_t votes = warp.predicate(i.a) & warp.active;
  const bool all = votes == warp.active;
  const bool found = i.count == All ? all : i.count == Any ? votes != 0 : all || votes == 0;
  std::uint32_t& p = warp.predicate(i.d);
  p = (p & ~warp.active) | (found ? warp.active : 0);
}
void makeVote(Translation& t) {
  t.allow({"sync", "ballot", "all", "any", "uni"});
  if (!t.has("sync")) t.unknown();
  const std::uint32_t a = t.source(t.operand(1), 0);
  const std::uint32_t mask = t.source(t.operand(2), 4);
  const bool isBallot = t.has("ballot");
  const std::uint32_t d = t.result(t.operand(0), t.type(0));
  Instruction& i = t.emit(isBallot ? &ballot : &vote);
  i.step = Step::WarpSync;
  i.a = a;
  i.c = mask;
  i.d = d;
  i.count = t.has("all") ? All : t.has("any") ? Any : Uniform;
}

}  // namespace

void addControlMakers(Makers& makers) {
  makers["bra"] = &makeBra;
  makers["ret"] = &makeRet;
  makers["exit"] = &makeExit;
  makers["call"] = &makeCall;
  makers["bar"] = &makeBarrier;
  makers["barrier"] = &makeBarrier;
  makers["trap"] = &makeTrap;
  makers["membar"] = &makeFence;
  makers["fence"] = &makeFence;
  makers["shfl"] = &makeShfl;
  makers["vote"] = &makeVote;
}

}  // namespace millrace::ptx
