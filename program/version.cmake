# cmake -DROOT=... -DQCD_VERSION=... -DIN=version.cpp.in -DOUT=version.cpp -P version.cmake
# Run at every build, not at configuration: the commit may have changed since. Writes OUT only if it differs.
find_program(git git)
set(QCD_REVISION "")
if(git AND EXISTS ${ROOT}/.git)
    execute_process(COMMAND ${git} -C ${ROOT} rev-parse --short=12 --verify HEAD
                    OUTPUT_VARIABLE QCD_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    # Without the index lock, or a build would get in the way of a commit.
    execute_process(COMMAND ${git} -C ${ROOT} --no-optional-locks status --porcelain -uno
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(QCD_REVISION AND changes)
        string(APPEND QCD_REVISION "+")
    endif()
endif()
string(STRIP "${QCD_CUDA_COMPILER}" QCD_CUDA_COMPILER)
string(STRIP "${QCD_BUILD_TYPE}" QCD_BUILD_TYPE)
configure_file(${IN} ${OUT} @ONLY)
