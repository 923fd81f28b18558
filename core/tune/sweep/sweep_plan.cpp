// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/sweep_plan.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/base/random.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

/// Index of the value of each axis.
using Levels = std::vector<std::size_t>;

Draw drawOf(std::uint64_t seed, std::string_view what) {
  DrawKey key;
  key.seed = seed;
  key.node = static_cast<std::uint32_t>(fnv1a(what));
  return Draw(key);
}

std::size_t below(Draw& draw, std::size_t end) {
  return static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(end) - 1));
}

/// Number of points of the whole grid, capped at kMostPoints + 1.
std::size_t gridSize(const std::vector<SweepAxis>& axes) {
  std::size_t size = 1;
  for (const SweepAxis& axis : axes) size = std::min(size * axis.values.size(), kMostPoints + 1);
  return size;
}

std::set<Levels> fullGrid(const std::vector<SweepAxis>& axes) {
  std::set<Levels> points;
  Levels at(axes.size(), 0);
  for (;;) {
    points.insert(at);
    std::size_t axis = axes.size();
    while (axis > 0 && ++at[axis - 1] == axes[axis - 1].values.size()) at[--axis] = 0;
    if (axis == 0) return points;
  }
}

std::set<Levels> randomPoints(const std::vector<SweepAxis>& axes, std::size_t count,
                              std::uint64_t seed) {
  std::set<Levels> points;
  Draw draw = drawOf(seed, "sweep random");
  // If more than half of the grid is wanted, the points to leave out are drawn instead.
  const std::size_t grid = gridSize(axes);
  const bool leaveOut = grid <= kMostPoints && count > grid / 2;
  const std::size_t drawn = leaveOut ? grid - count : count;
  while (points.size() < drawn) {
    Levels point;
    for (const SweepAxis& axis : axes) point.push_back(below(draw, axis.values.size()));
    points.insert(point);
  }
  if (!leaveOut) return points;
  std::set<Levels> rest = fullGrid(axes);
  for (const Levels& point : points) rest.erase(point);
  return rest;
}

std::set<Levels> latinPoints(const std::vector<SweepAxis>& axes, std::size_t count,
                             std::uint64_t seed) {
  std::vector<Levels> points(count, Levels(axes.size()));
  Draw draw = drawOf(seed, "sweep latin");
  std::vector<std::size_t> strata(count);
  for (std::size_t a = 0; a < axes.size(); ++a) {
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(strata[i - 1], strata[below(draw, i)]);
    for (std::size_t i = 0; i < count; ++i) {
      const double at = (static_cast<double>(strata[i]) + draw.unit()) / static_cast<double>(count);
      const std::size_t levels = axes[a].values.size();
      points[i][a] =
          std::min(levels - 1, static_cast<std::size_t>(at * static_cast<double>(levels)));
    }
  }
  return {points.begin(), points.end()};
}

Result<std::set<Levels>> designed(const std::vector<SweepAxis>& axes, const SweepDesign& design,
                                  std::uint64_t seed) {
  const std::size_t grid = gridSize(axes);
  const bool whole = design.kind == SweepDesign::Kind::Full ||
                     (design.kind == SweepDesign::Kind::Random && design.count >= grid);
  if ((whole ? grid : design.count) > kMostPoints)
    return Error{
        fmt::format("more than {} settings; give fewer values, or measure a random part of "
                    "them or a Latin hypercube",
                    grouped(kMostPoints))};
  if (whole) return fullGrid(axes);
  if (design.kind == SweepDesign::Kind::Random) return randomPoints(axes, design.count, seed);
  return latinPoints(axes, design.count, seed);
}

void addCurrent(SweepPlan& plan) {
  SweepPoint current;
  for (const SweepAxis& axis : plan.axes) current.values.push_back(axis.current);
  current.current = true;
  current.designed = false;
  for (SweepPoint& point : plan.points)
    if (point.values == current.values) {
      point.current = true;
      return;
    }
  plan.points.push_back(std::move(current));
}

}  // namespace

Result<SweepDesign> parseDesign(std::string_view text) {
  using Kind = SweepDesign::Kind;
  if (text == "full") return SweepDesign{};
  for (const auto& [name, kind] :
       {std::pair{std::string_view("random:"), Kind::Random}, {"latin:", Kind::Latin}}) {
    if (!text.starts_with(name)) continue;
    const Result<Value> count = parseValue(ParamType::Integer, text.substr(name.size()));
    if (count && std::get<std::int64_t>(*count) > 0)
      return SweepDesign{kind, static_cast<std::size_t>(std::get<std::int64_t>(*count))};
  }
  return Error{
      fmt::format("`{}` is not a design; use full, random:N or latin:N with N above 0", text)};
}

std::string textOf(const SweepDesign& design) {
  if (design.kind == SweepDesign::Kind::Full) return "full";
  return fmt::format("{}:{}", design.kind == SweepDesign::Kind::Random ? "random" : "latin",
                     design.count);
}

std::size_t SweepPlan::current() const {
  return static_cast<std::size_t>(std::ranges::find(points, true, &SweepPoint::current) -
                                  points.begin());
}

std::string SweepPlan::settings(std::size_t point) const {
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a)
    text +=
        fmt::format("{}{}={}", a == 0 ? "" : " ", axes[a].name(), textOf(points[point].values[a]));
  return text;
}

bool SweepPlan::fullGrid() const {
  return gridSize(axes) ==
         static_cast<std::size_t>(std::ranges::count(points, true, &SweepPoint::designed));
}

Result<SweepPlan> planSweep(std::vector<SweepAxis> axes, const SweepDesign& design,
                            std::uint64_t seed) {
  if (axes.empty())
    return Error{"nothing is varied; name a parameter and its values, such as workers.count=1,2,4"};
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (axes[a].name() == axes[b].name())
        return Error{
            fmt::format("{} is varied twice; give all its values at once", axes[a].name())};
  SweepPlan plan{std::move(axes), design, seed, {}};
  const Result<std::set<Levels>> chosen = designed(plan.axes, design, seed);
  if (!chosen) return chosen.error();
  for (const Levels& levels : *chosen) {
    SweepPoint point;
    for (std::size_t a = 0; a < levels.size(); ++a)
      point.values.push_back(plan.axes[a].values[levels[a]]);
    plan.points.push_back(std::move(point));
  }
  addCurrent(plan);
  return plan;
}

}  // namespace millrace
