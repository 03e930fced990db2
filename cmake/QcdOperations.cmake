# qcd_add_operations(LIBRARY OPENCL_TEXT name OPENCL_HEADERS file...
#                    [OPERATIONS op...] [LINK_OPERATIONS op...] [MIXED_OPERATIONS op...] [SCALAR_OPERATIONS op...]
#                    [HALF_OPERATIONS op...])
#   Operations in the folder that calls this, one subfolder each, in double and single. LINK_OPERATIONS read links:
#   also for every storage of them, and in double on single fields, for the true residual. MIXED_OPERATIONS work on
#   fields of double and of a lower precision: in double alone. SCALAR_OPERATIONS work on scalars and sums: in double
#   alone. HALF_OPERATIONS, which are also in one of the first two lists, come in 16 bits, too; those that read links,
#   with 18 and 12 reals.
#   A subfolder has codelet.cpp and
#     kernel.cpp              the loop for cores and the kernel for CUDA, in one; or
#     cpu.cpp, kernel.cuh     each by itself; without, that kind of worker has no kernel
#     kernel.cl               for OpenCL; without, it has none
#   A subfolder of scalar operations may have several (codelets/scalar_registration.hpp), which share what they work on.
#   This is the one list of operations. LIBRARY gets their codelets and kernels, the OpenCL text
#   qcd_opencl_NAME, in which OPENCL_HEADERS come first (every header is embedded once, where it is first named),
#   and operations_of_LIBRARY(): all of them (as codelets/all_operations.hpp).
#
# Kernels for cores are compiled once per precision, storage of links and instruction set, all operations together
# (unity): they share the site headers and nothing else. So are CUDA's, because nvcc starts slowly.

set(QCD_FLAGS_generic "")
set(QCD_FLAGS_avx2 -mavx2 -mfma)
set(QCD_FLAGS_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512)
set(QCD_MACROS_f64 QCD_REAL_BITS=64)
set(QCD_MACROS_f32 QCD_REAL_BITS=32)
set(QCD_MACROS_f32_in_f64 QCD_REAL_BITS=32 QCD_MATH_BITS=64)
set(QCD_MACROS_f16 QCD_REAL_BITS=16 QCD_MATH_BITS=32)
set(QCD_MACROS_f16_in_f64 QCD_REAL_BITS=16 QCD_MATH_BITS=64)
# Scheduling before registers are given out makes a hop 3-5% faster; clang does it unasked.
set(QCD_OPTIMIZED "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(QCD_OPTIMIZED -fschedule-insns -fsched-pressure)
endif()
# Where a hop need not be fast it compiles in a third of the time: in the one true residual of a single solution,
# and with sanitizers. g++ ends AVX code with vzeroupper only among its expensive optimizations, which -O1 leaves out:
# without it all SSE code that follows runs at a twentieth of its speed. (And at -O1 it does not see that a loop over
# the lanes of a register sets all of them.)
set(QCD_OPTIMIZED_LITTLE -DQCD_COMPACT $<$<CONFIG:Release>:-O1>
            "$<$<CXX_COMPILER_ID:GNU>:-fexpensive-optimizations;-Wno-maybe-uninitialized>")
set(QCD_NEED_NOT_BE_FAST f32_in_f64 f16_in_f64 generic) # generic: cores without AVX2, of before 2013
if(QCD_SANITIZE)
    list(APPEND QCD_NEED_NOT_BE_FAST f64 f32 f16)
    set(QCD_FLAGS_generic -mfma) # without it each of a kernel's fma is a call
endif()

# Writes `text` where it differs: what is newer is compiled again.
function(qcd_write file text)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

# Of the operations, those that have one of these files, as NAME/FILE.
function(qcd_files_of result operations)
    set(found "")
    foreach(op IN LISTS operations)
        foreach(file IN LISTS ARGN)
            if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${op}/${file})
                list(APPEND found ${op}/${file})
            endif()
        endforeach()
    endforeach()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

# `#include` lines of the files, from the project's root.
function(qcd_includes result files)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    set(text "")
    foreach(file IN LISTS files)
        string(APPEND text "#include \"${folder}/${file}\"\n")
    endforeach()
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Kernels of one precision and storage of links.
function(qcd_add_kernels library precision links operations)
    if(QCD_SIMULATOR) # none runs
        return()
    endif()
    set(name ${library}_${precision}_${links})
    qcd_files_of(cpu "${operations}" kernel.cpp cpu.cpp)
    foreach(isa IN LISTS QCD_INSTRUCTION_SETS)
        if(NOT cpu)
            break()
        endif()
        set(optimization ${QCD_OPTIMIZED})
        if(precision IN_LIST QCD_NEED_NOT_BE_FAST OR isa IN_LIST QCD_NEED_NOT_BE_FAST)
            set(optimization ${QCD_OPTIMIZED_LITTLE})
        endif()
        set(target ${name}_${isa})
        add_library(${target} OBJECT ${cpu})
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(${target} PRIVATE ${QCD_MACROS_${precision}} QCD_LINK_ROWS=${links})
        # g++ 12 makes fmaddsub of a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re when it vectorises straight-line code,
        # -ffp-contract=off or not: other bits than elsewhere. The kernels are vectors already.
        # Arguments of SIMD type never leave an inlined function: no ABI question (-Wno-psabi). One signature
        # serves all operations, so some leave an argument unused.
        target_compile_options(${target} PRIVATE ${QCD_FLAGS_${isa}} -Wno-psabi -Wno-unused-parameter
                               -fno-tree-slp-vectorize ${optimization} ${QCD_NOT_COUNTED})
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
    endforeach()
    if(NOT QCD_WITH_CUDA)
        return()
    endif()
    qcd_files_of(cuda "${operations}" kernel.cpp kernel.cuh)
    qcd_includes(text "${cuda}")
    qcd_write(${CMAKE_CURRENT_BINARY_DIR}/${name}.cu "${text}")
    if(cuda)
        set(target ${name}_cuda)
        add_library(${target} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cu)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(${target} PRIVATE ${QCD_MACROS_${precision}} QCD_LINK_ROWS=${links})
        target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
    endif()
endfunction()

# The text of all OpenCL kernels, of which a program has a part. Headers stand where they are first named, so what comes
# in more variants comes first.
function(qcd_add_opencl_text library name headers operations link_operations mixed_operations scalar_operations
         half_operations)
    set(half_links "")
    set(half_others "")
    foreach(op IN LISTS half_operations)
        if(op IN_LIST link_operations)
            list(APPEND half_links ${op})
        else()
            list(APPEND half_others ${op})
        endif()
    endforeach()
    list(REMOVE_ITEM operations "" ${half_operations})
    list(REMOVE_ITEM link_operations "" ${half_operations})
    foreach(part operations link_operations mixed_operations scalar_operations half_links half_others)
        qcd_files_of(files "${${part}}" kernel.cl)
        qcd_includes(of_${part} "${files}")
    endforeach()
    set(text "")
    foreach(header IN LISTS headers)
        string(APPEND text "#include \"${header}\"\n")
    endforeach()
    string(APPEND text "#ifdef QCD_SCALAR_OPERATIONS\n${of_scalar_operations}#else\n"
                       "#if QCD_REAL_BITS != 16 || QCD_MATH_BITS != 64\n${of_half_links}"
                       "#if QCD_REAL_BITS != 16\n${of_link_operations}#endif\n#endif\n"
                       "#if QCD_LINK_ROWS == 18 && QCD_WORD_BITS == QCD_MATH_BITS\n${of_half_others}"
                       "#if QCD_REAL_BITS != 16\n${of_operations}#endif\n"
                       "#elif QCD_LINK_ROWS == 18\n${of_mixed_operations}#endif\n#endif\n")
    qcd_write(${CMAKE_CURRENT_BINARY_DIR}/${name}.cl "${text}")
    qcd_embed_opencl(${library} ${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}.cl)
endfunction()

# Registration, told which kernels there are.
function(qcd_add_codelets library opencl_text operations half_operations)
    foreach(op IN LISTS operations)
        set(has "")
        qcd_files_of(cpu ${op} kernel.cpp cpu.cpp)
        qcd_files_of(cuda ${op} kernel.cpp kernel.cuh)
        qcd_files_of(opencl ${op} kernel.cl)
        if(cpu)
            list(APPEND has QCD_HAS_CPU)
        endif()
        if(cuda AND (QCD_WITH_CUDA OR QCD_SIMULATOR))
            list(APPEND has QCD_HAS_CUDA)
        endif()
        if(opencl AND QCD_WITH_OPENCL)
            list(APPEND has QCD_HAS_OPENCL=qcd_opencl_${opencl_text})
        endif()
        if(opencl AND QCD_SIMULATOR)
            list(APPEND has QCD_HAS_OPENCL)
        endif()
        if(QCD_SIMULATOR)
            list(APPEND has QCD_SIMULATOR)
        endif()
        if(op IN_LIST half_operations)
            list(APPEND has QCD_HAS_HALF)
        endif()
        target_sources(${library} PRIVATE ${op}/codelet.cpp)
        set_source_files_properties(${op}/codelet.cpp PROPERTIES COMPILE_DEFINITIONS "${has}" SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
endfunction()

function(qcd_add_operations library)
    cmake_parse_arguments(PARSE_ARGV 1 T "" "OPENCL_TEXT"
                          "OPENCL_HEADERS;OPERATIONS;LINK_OPERATIONS;MIXED_OPERATIONS;SCALAR_OPERATIONS;HALF_OPERATIONS")
    set(all ${T_OPERATIONS} ${T_LINK_OPERATIONS} ${T_MIXED_OPERATIONS} ${T_SCALAR_OPERATIONS})
    qcd_add_codelets(${library} ${T_OPENCL_TEXT} "${all}" "${T_HALF_OPERATIONS}")
    foreach(links 18 12 8)
        foreach(precision f64 f32 f32_in_f64)
            set(operations ${T_LINK_OPERATIONS})
            if(links EQUAL 18 AND NOT precision STREQUAL f32_in_f64)
                list(APPEND operations ${T_OPERATIONS})
                if(precision STREQUAL f64)
                    list(APPEND operations ${T_SCALAR_OPERATIONS})
                endif()
            elseif(links EQUAL 18)
                list(APPEND operations ${T_MIXED_OPERATIONS})
            endif()
            qcd_add_kernels(${library} ${precision} ${links} "${operations}")
        endforeach()
    endforeach()
    if(T_HALF_OPERATIONS)
        set(that_read_links ${T_HALF_OPERATIONS})
        list(REMOVE_ITEM that_read_links "" ${T_OPERATIONS})
        qcd_add_kernels(${library} f16 18 "${T_HALF_OPERATIONS}")
        qcd_add_kernels(${library} f16 12 "${that_read_links}")
    endif()
    if(T_MIXED_OPERATIONS)
        qcd_add_kernels(${library} f16_in_f64 18 "${T_MIXED_OPERATIONS}")
    endif()
    if(QCD_WITH_OPENCL)
        qcd_add_opencl_text(${library} ${T_OPENCL_TEXT} "${T_OPENCL_HEADERS}" "${T_OPERATIONS}"
                            "${T_LINK_OPERATIONS}" "${T_MIXED_OPERATIONS}" "${T_SCALAR_OPERATIONS}"
                            "${T_HALF_OPERATIONS}")
    endif()
    set(headers "")
    set(calls "")
    foreach(op IN LISTS all)
        list(APPEND headers ${op}/${op}.hpp)
        file(STRINGS ${op}/codelet.cpp steps REGEX "^QCD_SCALAR_(START|STEP)")
        if(steps)
            foreach(step IN LISTS steps)
                string(REGEX REPLACE ".*\\((.*)\\)" "\\1_codelets()" step "${step}")
                string(APPEND calls "        &${step}.alone, &${step}.linked,\n")
            endforeach()
        elseif(op IN_LIST T_SCALAR_OPERATIONS)
            string(APPEND calls "        &${op}_codelet(),\n")
        elseif(op IN_LIST T_MIXED_OPERATIONS)
            string(APPEND calls "        &${op}_codelet(Precision::f32),\n")
        else()
            string(APPEND calls "        &${op}_codelet(Precision::f64),\n")
        endif()
    endforeach()
    qcd_includes(includes "${headers}")
    qcd_write(${CMAKE_CURRENT_BINARY_DIR}/operations.cpp "${includes}
std::vector<const qcd::Codelet*> operations_of_${library}()
{
    using namespace qcd;
    return {
${calls}    };
}
")
    target_sources(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/operations.cpp)
endfunction()
