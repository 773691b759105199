# The target reckon_clang: the libraries of Clang and LLVM that capture/ needs.
#
# With RECKON_STATIC_CLANG they are Debian's archives (llvm-19-dev, libclang-19-dev), of which the linker takes what is
# used: the program starts in a third of the time and needs no library of LLVM's where it runs. Debian's CMake files
# name the shared library as what the archives need, so the archives are listed here. They also name Polly, which is in
# another package: what would call it is unused, and goes with the other unused sections.
#
# Builds for debugging and with sanitizers keep the shared libraries: they link quicker and with less memory.
add_library(reckon_clang INTERFACE)
if(RECKON_STATIC_CLANG AND NOT EXISTS ${LLVM_LIBRARY_DIR}/libclangCodeGen.a)
  message(FATAL_ERROR "${LLVM_LIBRARY_DIR} has no static libraries of Clang; install libclang-19-dev and llvm-19-dev, "
                      "or say -DRECKON_STATIC_CLANG=OFF")
endif()
if(RECKON_STATIC_CLANG)
  set(archives)
  foreach(name CodeGen Frontend Driver Serialization Parse Sema Edit Analysis AST ASTMatchers Lex Basic Support APINotes)
    list(APPEND archives ${LLVM_LIBRARY_DIR}/libclang${name}.a)
  endforeach()
  file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  find_package(ZLIB REQUIRED)
  target_link_libraries(reckon_clang INTERFACE -Wl,--start-group ${archives} ${llvm_archives} -Wl,--end-group
                                               ZLIB::ZLIB PkgConfig::ZSTD ${CMAKE_DL_LIBS})
  target_link_options(reckon_clang INTERFACE -Wl,--gc-sections)
else()
  target_link_libraries(reckon_clang INTERFACE clang-cpp LLVM)
endif()

# LLVM's BLAKE3, which knows nothing else of LLVM: for support/. The archive goes by another name than above, since CMake
# would take it out of the group there and put it last.
add_library(reckon_blake3 INTERFACE)
target_include_directories(reckon_blake3 SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
if(RECKON_STATIC_CLANG)
  target_link_directories(reckon_blake3 INTERFACE ${LLVM_LIBRARY_DIR})
  target_link_libraries(reckon_blake3 INTERFACE -l:libLLVMSupport.a)
else()
  target_link_libraries(reckon_blake3 INTERFACE LLVM)
endif()
