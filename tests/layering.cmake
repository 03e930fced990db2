# cmake -DROOT=... -P layering.cmake: the layers depend on each other in one direction only.
cmake_minimum_required(VERSION 3.25)

# What each folder may include. A folder's own name is listed too, so codelets/device (the kernels'
# dialect, read by OpenCL as well) and codelets/launch can be narrower than codelets: what all
# operations share knows none of them.
set(layers lattice codelets/device runtime codelets/launch codelets tasks solver traces baseline experiment drivers studies api)
set(may_see_lattice lattice)
set(may_see_codelets/device codelets/device)
set(may_see_runtime runtime lattice)
set(may_see_codelets/launch codelets/launch codelets/device runtime lattice)
set(may_see_codelets codelets runtime lattice)
set(may_see_tasks tasks codelets runtime lattice)
set(may_see_solver solver tasks codelets runtime lattice)
set(may_see_traces traces runtime lattice)
set(may_see_baseline baseline lattice)
set(may_see_experiment experiment lattice)
set(may_see_drivers drivers runtime solver tasks codelets lattice traces baseline experiment)
# Nothing of QCD: of drivers/ what any program has.
set(may_see_studies studies codelets/device runtime lattice traces experiment)
set(files_for_studies
    drivers/all_places.hpp drivers/call.hpp drivers/cli/argument_checks.hpp drivers/cli/parser.hpp drivers/cli/text.hpp drivers/cli/words.hpp
    drivers/crash.hpp drivers/json_file.hpp drivers/machine/devices.hpp drivers/machine/starpu_facts.hpp
    drivers/progress.hpp drivers/progress_line.hpp drivers/provenance.hpp drivers/stop.hpp drivers/stopwatch.hpp
    drivers/version.hpp)
set(may_see_api api drivers solver tasks codelets runtime lattice)
set(knows_no_starpu lattice solver baseline experiment codelets/device codelets/launch)
# The root is on the path of <> too, where other names are the system's.
set(ours "^(lattice|runtime|codelets|tasks|solver|traces|baseline|experiment|drivers|studies|api|tests)/")

set(errors "")
set(checked 0)
foreach(layer ${layers})
    file(GLOB_RECURSE files RELATIVE ${ROOT}
         ${ROOT}/${layer}/*.hpp ${ROOT}/${layer}/*.cpp ${ROOT}/${layer}/*.h ${ROOT}/${layer}/*.c
         ${ROOT}/${layer}/*.cu ${ROOT}/${layer}/*.cuh ${ROOT}/${layer}/*.cl ${ROOT}/${layer}/CMakeLists.txt)
    foreach(file ${files})
        math(EXPR checked "${checked} + 1")
        file(STRINGS ${ROOT}/${file} includes REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
        foreach(line IN LISTS includes)
            string(REGEX REPLACE "^[^\"<]*[\"<]([^\">]*)[\">].*" "\\1" path "${line}")
            set(allowed FALSE)
            if(line MATCHES "include[ \t]*<" AND NOT path MATCHES "${ours}")
                set(allowed TRUE)
            endif()
            if(path IN_LIST files_for_${layer})
                set(allowed TRUE)
            endif()
            foreach(seen ${may_see_${layer}})
                string(FIND "${path}" "${seen}/" at)
                if(at EQUAL 0)
                    set(allowed TRUE)
                endif()
            endforeach()
            if(NOT allowed)
                list(APPEND errors "${file} includes \"${path}\": ${layer}/ may see only ${may_see_${layer}}")
            endif()
        endforeach()
        # What studies see of another layer sees no more of it than they do.
        if(file IN_LIST files_for_studies)
            foreach(line IN LISTS includes)
                string(REGEX REPLACE "^[^\"<]*[\"<]([^\">]*)[\">].*" "\\1" path "${line}")
                if(path MATCHES "^(codelets|tasks|solver|baseline|drivers)/" AND NOT path IN_LIST files_for_studies)
                    list(APPEND errors "${file} includes \"${path}\", and studies/ sees it")
                endif()
            endforeach()
        endif()
        if(layer IN_LIST knows_no_starpu)
            # The project's own name, qcd_starpu, is not StarPU's.
            file(STRINGS ${ROOT}/${file} lines REGEX "(^|[^_A-Za-z])(starpu|STARPU)")
            foreach(line IN LISTS lines)
                list(APPEND errors "${file} names StarPU: ${line}")
            endforeach()
        endif()
    endforeach()
endforeach()

if(errors OR checked EQUAL 0)
    string(REPLACE ";" "\n  " errors "${errors}")
    message(FATAL_ERROR "Layering (${checked} files checked):\n  ${errors}")
endif()
message(STATUS "Layering: ${checked} files include only what their layer may see")
