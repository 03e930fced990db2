#pragma once
// The abelian sandpile: whatever the order in which unstable cells give, the pile ends in the same
// stable state. So every version has the same digest.

#include "studies/frame/study.hpp"

namespace qcd::studies
{

/// Versions beside those of plain.hpp, as tasks:
///   tiles    a synchronous sweep of a part is a task
///   overlap  --sweeps synchronous sweeps of a slab are a task, and on devices one kernel
///   lazy     --sweeps sweeps of a part by itself are a task; parts that are stable have none
std::unique_ptr<Study> make_sandpile();

} // namespace qcd::studies
