# What every room's CMakeLists.txt is written with. A room is one folder and one target, so that the target graph is
# the layer table of tools/layers.txt. Settings common to all targets come first, then the functions.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "" FORCE)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Private libraries sit in lib/warpshare and lib/simgpu, beside no other package's: no multiarch folder.
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "")
include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(WARPSHARE_TEST_BIN ${CMAKE_BINARY_DIR}/tests/bin)

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(WARPSHARE_CCACHE ccache)
  if(WARPSHARE_CCACHE)
    # What ccache wants to be told before it keeps what was compiled with a precompiled header; and the folder that may
    # have another name in the next clone, which is then built from what the first one left.
    set(launcher env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      ${WARPSHARE_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  endif()
endif()

find_package(Threads REQUIRED)
include_directories(${PROJECT_SOURCE_DIR}/src)
if(WARPSHARE_HEADERS)
  include_directories(SYSTEM ${WARPSHARE_HEADERS})
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra>")
if(WARPSHARE_WERROR)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-Werror>")
endif()
# Clang reports libstdc++ 12 for a function that its own stable_sort calls; what is deprecated here is GCC's to report.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>")

add_custom_target(products)  # what is installed
add_custom_target(fuzzers)
if(WARPSHARE_TESTS)
  find_package(GTest QUIET)
  find_package(benchmark QUIET)
  if(NOT GTest_FOUND)
    message(STATUS "GoogleTest not found: unit tests are left out (tools/dev deps installs it)")
  endif()
  add_custom_target(asan_tests)  # what `ctest -L asan` runs; each preset builds no more than it runs
  add_custom_target(tsan_tests)
endif()

# Sanitizers go to our static rooms, programs and tests, not to the guest libraries: those are loaded into programs
# that carry no sanitizer runtime. `fuzzer` instruments the rooms and is linked into the fuzzers alone.
set(WARPSHARE_SANITIZE_COMPILE ${WARPSHARE_SANITIZE})
set(WARPSHARE_SANITIZE_LINK ${WARPSHARE_SANITIZE})
if(WARPSHARE_SANITIZE MATCHES "fuzzer")
  string(REPLACE "fuzzer" "fuzzer-no-link" WARPSHARE_SANITIZE_COMPILE "${WARPSHARE_SANITIZE}")
  set(WARPSHARE_SANITIZE_LINK ${WARPSHARE_SANITIZE_COMPILE})
endif()

# warpshare_sanitize(TARGET): instruments a target with what the preset asks for.
function(warpshare_sanitize target)
  if(WARPSHARE_SANITIZE)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${WARPSHARE_SANITIZE_COMPILE};-fno-sanitize-recover=all;-fno-omit-frame-pointer;-g1>")
    target_link_options(${target} PRIVATE -fsanitize=${WARPSHARE_SANITIZE_LINK})
  endif()
endfunction()

# Without times in it a precompiled header is the same when it is made again, and so is to ccache what is compiled with it.
# It is never taken from the cache itself: it names files of the clone that it was made in.
set(WARPSHARE_STEADY_HEADER "SHELL:$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Xclang -fno-pch-timestamp>")

# Most of a build is reading the standard library, so it is read once for each set of flags. Not in lean and debug builds,
# nor by tools/check_tidy: there a file that does not include what it uses is found out.
set(WARPSHARE_STANDARD_HEADERS algorithm array atomic charconv chrono condition_variable deque filesystem fstream functional
  map memory mutex optional random set span sstream string string_view thread unordered_map utility vector)
if(WARPSHARE_SANITIZE OR (CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WARPSHARE_LEAN))
  set(WARPSHARE_READ_ONCE ON)
  # What a precompiled header's users must agree on: some libraries bring -pthread, and programs are -fPIE.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-pthread>)
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ takes time for all that is in such a header, used or not.
  list(REMOVE_ITEM WARPSHARE_STANDARD_HEADERS condition_variable deque filesystem fstream random sstream thread unordered_map)
endif()

# warpshare_read_once(TARGET FLAGS): to be called when the target has its flags, of which FLAGS is a name.
function(warpshare_read_once target flags)
  if(NOT WARPSHARE_READ_ONCE)
    return()
  endif()
  set(reader standard_header_${flags})
  if(NOT TARGET ${reader})
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${reader}.cc CONTENT "\n")
    add_library(${reader} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/${reader}.cc)
    set_target_properties(${reader} PROPERTIES CXX_COMPILER_LAUNCHER "")
    get_target_property(options ${target} COMPILE_OPTIONS)
    target_compile_options(${reader} PRIVATE ${options} ${WARPSHARE_STEADY_HEADER})
    foreach(property CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN)
      get_target_property(value ${target} ${property})
      if(value)
        set_target_properties(${reader} PROPERTIES ${property} ${value})
      endif()
    endforeach()
    list(TRANSFORM WARPSHARE_STANDARD_HEADERS REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
    target_precompile_headers(${reader} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${reader})
  # What the library's own pragmas silence in <string> is reported once that is read from such a header: those get lost.
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endfunction()

# A dependency is a room's name, or from outside the house: a target with `::` (Threads::Threads), a part of libc.
function(warpshare_link target scope)
  foreach(dep ${ARGN})
    if(dep MATCHES "::|^(dl|rt|m)$")
      target_link_libraries(${target} ${scope} ${dep})
    else()
      target_link_libraries(${target} ${scope} warpshare_${dep})
    endif()
  endforeach()
endfunction()

# warpshare_guest(TARGET): flags for code that lives in a tenant's process: no C++ runtime, nothing exported unasked.
function(warpshare_guest target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics;-fvisibility=hidden>")
endfunction()

# warpshare_room(NAME [SOURCES a.cc ...] [DEPS room ...] [GUEST]): the target warpshare_NAME, a static library, or an
# interface when there are no sources. GUEST: warpshare_NAME_guest is there too, the same objects for a guest library:
# with its flags, and never sanitized.
function(warpshare_room name)
  cmake_parse_arguments(arg "GUEST" "" "SOURCES;DEPS" ${ARGN})
  set(target warpshare_${name})
  if(NOT arg_SOURCES)
    add_library(${target} INTERFACE)
    warpshare_link(${target} INTERFACE ${arg_DEPS})
    return()
  endif()
  add_library(${target} STATIC ${arg_SOURCES})
  warpshare_link(${target} PUBLIC ${arg_DEPS})
  warpshare_sanitize(${target})
  warpshare_read_once(${target} rooms)
  if(arg_GUEST)
    add_library(${target}_guest STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
    warpshare_link(${target}_guest PUBLIC ${arg_DEPS})
    warpshare_guest(${target}_guest)
    warpshare_read_once(${target}_guest guests)
  endif()
endfunction()

# warpshare_program(NAME SOURCES ... [DEPS room ...]): an installed program in bin/.
function(warpshare_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  warpshare_link(${name} PRIVATE ${arg_DEPS} Threads::Threads)
  warpshare_sanitize(${name})
  warpshare_read_once(${name} rooms)
  add_dependencies(products ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# warpshare_driver_library(TARGET NAME cuda|nvidia-ml FOLDER warpshare|simgpu): gives a shared library the file name,
# SONAME and links of the driver's own, in lib/FOLDER.
function(warpshare_driver_library target)
  cmake_parse_arguments(arg "" "NAME;FOLDER" "" ${ARGN})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${arg_NAME} VERSION 1 SOVERSION 1
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/${arg_FOLDER})
  add_dependencies(products ${target})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${arg_FOLDER})
endfunction()

# warpshare_test_program(NAME SOURCES ... [DEPS room ...]): a program that tests run, not a test itself.
function(warpshare_test_program name)
  if(NOT WARPSHARE_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${WARPSHARE_TEST_BIN})
  warpshare_link(${name} PRIVATE ${arg_DEPS} Threads::Threads)
  warpshare_sanitize(${name})
endfunction()

# Where g++ makes the products, clang compiles what only tests (where it is there): it needs less than half of g++'s time
# for unoptimized code, and there are hundreds of such files. It is told as a launcher that forgets which compiler it was
# to start, as a language has one compiler in CMake.
find_program(WARPSHARE_CLANG clang++-19)
if(WARPSHARE_CLANG AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(JOIN CMAKE_CXX_COMPILER_LAUNCHER " " launcher)
  set(WARPSHARE_BY_CLANG ${CMAKE_BINARY_DIR}/by_clang)
  # Clang would read an old precompiled header to make the new one, and refuse what has changed. None comes from ccache.
  file(CONFIGURE OUTPUT ${WARPSHARE_BY_CLANG} @ONLY CONTENT [[
shift
case " $* " in
  *" c++-header "*)
    for word; do [ "$before" != -o ] || rm -f "$word"; before=$word; done
    exec @WARPSHARE_CLANG@ "$@"
    ;;
esac
exec @launcher@ @WARPSHARE_CLANG@ "$@"
]])
endif()

# Headers read once for all tests, and no optimization of what only tests: a test of some lines then compiles in half a
# second instead of three, and there are hundreds. Libraries under test are built as ever.
function(warpshare_quick_to_build name)
  # -pthread: some libraries bring it, and all must agree.
  target_compile_options(${name} PRIVATE -pthread $<$<CONFIG:Release>:-O0>)
  if(WARPSHARE_BY_CLANG)
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "sh;${WARPSHARE_BY_CLANG}")
    target_compile_options(${name} PRIVATE -Wno-deprecated-declarations
      "SHELL:-Xclang -fno-pch-timestamp -Xclang -fpch-instantiate-templates")
  else()
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> ${WARPSHARE_STEADY_HEADER})
  endif()
  if(name STREQUAL "test_header")
    if(NOT WARPSHARE_BY_CLANG)
      set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "")
    endif()
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
    return()
  endif()
  if(NOT TARGET test_header)
    file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/test_header.cc CONTENT "int main() {}\n")
    warpshare_test_program(test_header SOURCES ${CMAKE_BINARY_DIR}/test_header.cc DEPS GTest::gtest)
    warpshare_quick_to_build(test_header)
  endif()
  target_precompile_headers(${name} REUSE_FROM test_header)
endfunction()

# warpshare_test(NAME SOURCES x_test.cc ... [DEPS room ...] [NEEDS target ...] [LABELS ...] [TIMEOUT s] [ENV A=b ...] [TIMED] [SERIAL])
# A GoogleTest program and its ctest entry. NEEDS: targets that must be built first (a library it opens, a program it
# runs). TIMED: it judges when things happen (tests/timed). SERIAL: nothing may run beside it. Labels: `asan` is given to every test that is not `slow` or `no_asan`; `tsan` is asked for by name.
function(warpshare_test name)
  if(NOT WARPSHARE_TESTS OR NOT GTest_FOUND)
    return()
  endif()
  cmake_parse_arguments(arg "TIMED;SERIAL" "TIMEOUT" "SOURCES;DEPS;NEEDS;LABELS;ENV" ${ARGN})
  if(arg_TIMED)
    list(APPEND arg_SOURCES ${PROJECT_SOURCE_DIR}/tests/timed/main.cc)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(NOT "slow" IN_LIST arg_LABELS AND NOT "no_asan" IN_LIST arg_LABELS)
    list(APPEND arg_LABELS asan)
  endif()
  warpshare_test_program(${name} SOURCES ${arg_SOURCES} DEPS ${arg_DEPS} GTest::gtest GTest::gtest_main)
  warpshare_quick_to_build(${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" ENVIRONMENT "${arg_ENV}" RUN_SERIAL "${arg_SERIAL}")
  if(arg_NEEDS)
    add_dependencies(${name} ${arg_NEEDS})
  endif()
  foreach(sanitizer asan tsan)
    if(${sanitizer} IN_LIST arg_LABELS)
      add_dependencies(${sanitizer}_tests ${name})
    endif()
  endforeach()
endfunction()

# warpshare_bench(NAME SOURCES ... [DEPS room ...] [NEEDS target ...]): the Google Benchmark program bin/bench_NAME.
function(warpshare_bench name)
  if(NOT WARPSHARE_TESTS OR NOT benchmark_FOUND)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;NEEDS" ${ARGN})
  add_executable(bench_${name} ${arg_SOURCES})
  warpshare_link(bench_${name} PRIVATE ${arg_DEPS} benchmark::benchmark Threads::Threads)
  warpshare_sanitize(bench_${name})
  if(arg_NEEDS)
    add_dependencies(bench_${name} ${arg_NEEDS})
  endif()
endfunction()

# warpshare_fuzzer(NAME SOURCES x_fuzz.cc [DEPS room ...] [CORPUS folder]): a libFuzzer program in fuzzers/, with its
# seeds beside it as NAME.corpus; exists in the fuzz preset only.
function(warpshare_fuzzer name)
  if(NOT WARPSHARE_SANITIZE MATCHES "fuzzer")
    return()
  endif()
  cmake_parse_arguments(arg "" "CORPUS" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
  warpshare_link(${name} PRIVATE ${arg_DEPS} Threads::Threads)
  warpshare_sanitize(${name})
  target_link_options(${name} PRIVATE -fsanitize=${WARPSHARE_SANITIZE})
  if(arg_CORPUS)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS} ${CMAKE_BINARY_DIR}/fuzzers/${name}.corpus SYMBOLIC)
  endif()
  add_dependencies(fuzzers ${name})
endfunction()

# warpshare_rooms(NAME ...): adds the subfolders that are there.
function(warpshare_rooms)
  foreach(room ${ARGN})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/CMakeLists.txt)
      add_subdirectory(${room})
    endif()
  endforeach()
endfunction()

# warpshare_every_subfolder(): adds each subfolder that has a CMakeLists.txt, in name order.
function(warpshare_every_subfolder)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */CMakeLists.txt)
  list(SORT found)
  foreach(list_file ${found})
    get_filename_component(folder ${list_file} DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
endfunction()
