#pragma once
// The fields of a run: the one place where its options are listed.

#include "drivers/spec/field.hpp"
#include "drivers/spec/run_spec.hpp"

#include <initializer_list>
#include <map>
#include <string_view>

namespace qcd
{

/// The rows of a run's options, in the order in which commands are printed.
const Fields<RunSpec>& run_fields();
/// One of them, by its first name. Throws Error where there is none.
const Field<RunSpec>& run_field(std::string_view name);

/// The spec with an option as if it had been typed, of the name without dashes. Throws Error.
RunSpec with(RunSpec, std::string_view key, const std::string& text);

/// The options that set what is not the default, and those that are always printed, as a shell
/// reads them back: all of these roles, but for some.
std::string typed(const RunSpec&, std::initializer_list<Role>,
                  const std::vector<std::string>& without = {});
/// The options that `wanted` says as they are typed, a word each.
std::vector<std::string> typed_words(const RunSpec&,
                                     const std::function<bool(const FieldFacts&)>& wanted);

/// Options of identity and execution that set what is not the default: "--solver cg".
std::vector<std::string> asked_of(const RunSpec&);

/// What decides on the result, by option: of what is kept, the key.
std::map<std::string, std::string> identity_of(const RunSpec&);

// The words of the command line and of the JSON: "openmp", "bicgstab", "double", ...
std::string_view to_string(Engine);
std::string_view to_string(Method);
std::string_view to_string(Precision);

// Commands whose own fields have such values use these.
Codec<Precision> precision_codec();
Codec<std::optional<LinkStorage>> links_codec();
Codec<std::optional<PlanChoice>> plan_codec();
Codec<BoundaryPhases> written_phases_codec();
Codec<const LadderVersion*> version_codec();
Codec<int> multiple_codec();

constexpr int most_repetitions = 1000000000; // or iterations
constexpr int most_rhs = 64; // more would gain nothing: links are read once for a dozen
constexpr int default_multiple = 16;
constexpr int default_max_iterations = 10000;

} // namespace qcd
