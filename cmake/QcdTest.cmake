# qcd_add_test(NAME name SOURCES file... LIBS target... [LABELS label...] [CORES] [REFERENCE] [LONG])
#   An executable of Catch2 cases (with main, few threads) and its CTest entries:
#     name            every case but those tagged [reference] or [long]
#     name.reference  the cases tagged [reference], with REFERENCE
#     name.long       the cases tagged [long], with LONG: what is exhaustive
#   Labels say when an entry is run:
#     quick           while one edits: all of them in a minute
#     long            by scripts/check-all alone, not by ./bootstrap test
#     sanitize        with sanitizers in .ci/run, too
#     no-sanitizers   never with sanitizers, in which it takes many minutes or says nothing
#     gpu, opencl     it has cases for such workers
#   Cases that need QCD_REFERENCE_DIR carry the tag and, without it, WARN("SKIPPED: ... QCD_REFERENCE_DIR is
#   not set") and return: the whole entry is then reported as skipped, and hides no other case. An untagged
#   case that skips so is a failure. CORES: it starts StarPU, whose workers are bound to cores; such entries run
#   one at a time.
# qcd_add_fuzzer(NAME name SOURCES file... LIBS target... [CORPUS folder] [DICTIONARY file])
#   A libFuzzer executable, with QCD_FUZZERS only; CTest runs it for QCD_FUZZ_SECONDS.

set(QCD_TEST_TIMEOUT 600)
if(QCD_SANITIZE)
    set(QCD_TEST_TIMEOUT 1800) # kernels take three times as long
endif()

# Nothing of a test depends on, or is left in, the user's calibration of StarPU. Leaks are looked for in our
# code alone (hwloc unloads its pci plugin, so that one's leak has no name to suppress).
set(QCD_TEST_ENVIRONMENT
    "STARPU_HOME=${PROJECT_BINARY_DIR}/starpu-home"
    "OMP_WAIT_POLICY=passive" # small loops on the cores of StarPU's workers: who waits must not spin
    # PoCL compiles a kernel anew for each size of its groups and grids: most of a test's time, and of no use to it.
    # What it has compiled all tests share.
    "POCL_WORK_GROUP_SPECIALIZATION=0"
    "POCL_CACHE_DIR=${PROJECT_BINARY_DIR}/pocl-cache"
    "ASAN_OPTIONS=detect_stack_use_after_return=1"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.suppressions:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1")
if(QCD_SANITIZE)
    list(APPEND QCD_TEST_ENVIRONMENT "HWLOC_COMPONENTS=-pci")
endif()

# An empty selection of cases is an error, of Catch2 3 by itself.
set(QCD_NONE_IS_WRONG "")
if(Catch2_VERSION VERSION_LESS 3)
    set(QCD_NONE_IS_WRONG -w NoTests)
endif()

# What .ci/run builds with sanitizers: the tests labelled sanitize, and the fuzzers.
add_custom_target(sanitized)

function(qcd_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 T "CORES;REFERENCE;LONG" "NAME" "SOURCES;LIBS;LABELS")
    add_executable(${T_NAME} ${T_SOURCES})
    target_link_libraries(${T_NAME} PRIVATE ${T_LIBS} qcd_few_threads OpenMP::OpenMP_CXX Catch2::Catch2WithMain)
    target_compile_options(${T_NAME} PRIVATE ${QCD_BRIEF} ${QCD_NOT_COUNTED})
    set_target_properties(${T_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)

    set(entries ${T_NAME})
    add_test(NAME ${T_NAME} COMMAND ${T_NAME} ${QCD_NONE_IS_WRONG} ~[reference]~[long])
    set_property(TEST ${T_NAME} PROPERTY FAIL_REGULAR_EXPRESSION "SKIPPED:[^\n]*QCD_REFERENCE_DIR")
    if(T_REFERENCE)
        add_test(NAME ${T_NAME}.reference COMMAND ${T_NAME} ${QCD_NONE_IS_WRONG} [reference])
        set_property(TEST ${T_NAME}.reference PROPERTY SKIP_REGULAR_EXPRESSION "SKIPPED:")
        list(APPEND entries ${T_NAME}.reference)
    endif()
    if(T_LONG)
        add_test(NAME ${T_NAME}.long COMMAND ${T_NAME} ${QCD_NONE_IS_WRONG} [long])
        list(APPEND entries ${T_NAME}.long)
    endif()
    set_tests_properties(${entries} PROPERTIES TIMEOUT ${QCD_TEST_TIMEOUT})
    set_property(TEST ${entries} PROPERTY ENVIRONMENT ${QCD_TEST_ENVIRONMENT})
    set_property(TEST ${entries} PROPERTY LABELS ${T_LABELS})
    if(T_LONG)
        set(labels ${T_LABELS} long)
        list(REMOVE_ITEM labels quick sanitize)
        set_property(TEST ${T_NAME}.long PROPERTY LABELS ${labels})
    endif()
    if(T_CORES)
        set_property(TEST ${entries} PROPERTY RESOURCE_LOCK cores)
    endif()
    if("sanitize" IN_LIST T_LABELS)
        add_dependencies(sanitized ${T_NAME})
    endif()
endfunction()

function(qcd_add_fuzzer)
    cmake_parse_arguments(PARSE_ARGV 0 T "" "NAME;CORPUS;DICTIONARY" "SOURCES;LIBS")
    if(NOT QCD_FUZZERS)
        return()
    endif()
    add_executable(${T_NAME} ${T_SOURCES})
    target_link_libraries(${T_NAME} PRIVATE ${T_LIBS})
    target_link_options(${T_NAME} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${T_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
    if(T_CORPUS)
        cmake_path(ABSOLUTE_PATH T_CORPUS BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
    set(dictionary "")
    if(T_DICTIONARY)
        set(dictionary -dict=${CMAKE_CURRENT_SOURCE_DIR}/${T_DICTIONARY})
    endif()
    # New inputs go to the first folder, the build's own.
    set(found ${PROJECT_BINARY_DIR}/fuzz/${T_NAME})
    file(MAKE_DIRECTORY ${found})
    add_test(NAME ${T_NAME} COMMAND ${T_NAME} -max_total_time=${QCD_FUZZ_SECONDS} -rss_limit_mb=2048 -timeout=10
                                    -artifact_prefix=${found}- ${dictionary} ${found} ${T_CORPUS})
    set_tests_properties(${T_NAME} PROPERTIES TIMEOUT ${QCD_TEST_TIMEOUT} LABELS fuzz)
    add_dependencies(sanitized ${T_NAME})
endfunction()
