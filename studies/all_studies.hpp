#pragma once
// Each is a class in its folder's NAME.cpp.

#include "studies/frame/study.hpp"

namespace qcd::studies
{

std::unique_ptr<Study> make_matmul();
std::unique_ptr<Study> make_sandpile();
std::unique_ptr<Study> make_fisher();
std::unique_ptr<Study> make_wave();
std::unique_ptr<Study> make_yardsticks();

} // namespace qcd::studies
