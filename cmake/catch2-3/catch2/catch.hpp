#pragma once
// Catch2 3 by the names that Catch2 2.13, of Debian 12, has: tests use what both can do.

#include <catch2/catch_all.hpp>

#include <string>

namespace Catch
{

struct TestEventListenerBase : EventListenerBase {
    using EventListenerBase::EventListenerBase;
};
using Matchers::EndsWith;
using Matchers::StartsWith;

inline Matchers::StringContainsMatcher Contains(const std::string& text)
{
    return Matchers::ContainsSubstring(text);
}

} // namespace Catch

using Catch::Approx;
