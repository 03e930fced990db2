#pragma once
// What operations come in: precisions and storages of links.

#include "lattice/link_storage.hpp"
#include "lattice/precision.hpp"
#include "runtime/codelet.hpp"
