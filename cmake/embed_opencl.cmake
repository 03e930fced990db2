# cmake -DROOT= -DNAME= -DFILE= -DOUTPUT= -P embed_opencl.cmake: see QcdOpencl.cmake.
# Writes OUTPUT and OUTPUT.d (the files it read). Texts stay in quoted strings, never in lists: `;`
# and `[` mean something to CMake's lists.
cmake_minimum_required(VERSION 3.25)

set_property(GLOBAL PROPERTY seen "")

# Appends the flattened text of `path` to the global property `text`.
function(flatten path included_from)
    get_property(seen GLOBAL PROPERTY seen)
    if(path IN_LIST seen)
        return()
    endif()
    if(NOT EXISTS "${path}")
        message(FATAL_ERROR "${included_from}: no such file: ${path}")
    endif()
    set_property(GLOBAL APPEND PROPERTY seen "${path}")
    file(READ "${path}" rest)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${ROOT}" OUTPUT_VARIABLE short)
    string(REPLACE "#pragma once" "" rest "${rest}")
    set(line 1)
    while(TRUE)
        # Compilers' messages name the original file and line.
        set_property(GLOBAL APPEND_STRING PROPERTY text "#line ${line} \"${short}\"\n")
        if(NOT "\n${rest}" MATCHES "\n[ \t]*#[ \t]*include[ \t]+\"([^\"\n]+)\"[^\n]*")
            set_property(GLOBAL APPEND_STRING PROPERTY text "${rest}\n")
            return()
        endif()
        set(directive "${CMAKE_MATCH_0}")
        set(next "${CMAKE_MATCH_1}")
        string(FIND "\n${rest}" "${directive}" at)
        string(SUBSTRING "${rest}" 0 ${at} before)
        string(LENGTH "${directive}" length)
        math(EXPR after "${at} + ${length}")
        string(LENGTH "${rest}" all)
        if(after GREATER all) # the directive was the last line, and had no newline
            set(rest "")
        else()
            string(SUBSTRING "${rest}" ${after} -1 rest)
        endif()
        string(REGEX REPLACE "[^\n]" "" newlines "${before}")
        string(LENGTH "${newlines}" lines_before)
        math(EXPR line "${line} + ${lines_before} + 1")
        set_property(GLOBAL APPEND_STRING PROPERTY text "${before}")
        flatten("${ROOT}/${next}" "${short}")
    endwhile()
endfunction()

flatten("${FILE}" "${NAME}")
get_property(text GLOBAL PROPERTY text)
get_property(seen GLOBAL PROPERTY seen)

if("${text}" MATCHES "\\)opencl\"")
    message(FATAL_ERROR "${FILE}: the text holds the end mark of the string that is to hold it")
endif()
file(WRITE "${OUTPUT}" "// Generated from ${NAME}.
extern const char qcd_opencl_${NAME}[];
const char qcd_opencl_${NAME}[] = R\"opencl(${text})opencl\";
")
# A blank ends a name in a dependency file, # begins a comment, $ a variable.
set(rule "")
foreach(path IN LISTS OUTPUT seen)
    string(REGEX REPLACE "([ #])" "\\\\\\1" path "${path}")
    string(REPLACE "$" "$$" path "${path}")
    list(APPEND rule "${path}")
endforeach()
list(POP_FRONT rule output)
list(JOIN rule " \\\n  " dependencies)
file(WRITE "${OUTPUT}.d" "${output}: \\\n  ${dependencies}\n")
