# What `cmake --install` puts where, and the .deb that CPack makes of it.
include(GNUInstallDirs)

install(TARGETS reckon RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

# For packages that carry their libraries (scripts/package): the same program, linked once more to look for them beside
# itself. RPATH and not RUNPATH: it holds for what the libraries need, too, and before LD_LIBRARY_PATH. Clang's headers
# are where support/program_path.h leads to.
add_executable(reckon_packed EXCLUDE_FROM_ALL src/main.cpp)
set_target_properties(reckon_packed PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/packed
                                               INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON)
target_link_libraries(reckon_packed PRIVATE reckon_driver)
target_link_options(reckon_packed PRIVATE -Wl,--disable-new-dtags)
install(PROGRAMS $<TARGET_FILE:reckon_packed> DESTINATION lib/reckon RENAME reckon COMPONENT packed EXCLUDE_FROM_ALL)
install(DIRECTORY ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include
        DESTINATION lib/reckon/clang/${LLVM_VERSION_MAJOR} COMPONENT packed EXCLUDE_FROM_ALL)
install(DIRECTORY examples/first/ DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon/example)
install(DIRECTORY specs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon/specs FILES_MATCHING PATTERN "*.spec"
        PATTERN "*.h")
install(DIRECTORY docs/checks DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian's policy asks for terms and changes under these names.
install(FILES packaging/deb/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
configure_file(packaging/deb/changelog.in ${CMAKE_BINARY_DIR}/changelog @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

install(FILES completions/reckon.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME reckon)
install(FILES completions/_reckon DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES completions/reckon.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(DIRECTORY share/confirm DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon USE_SOURCE_PERMISSIONS)
install(FILES share/reckon.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon)
install(FILES recipes/ReckonCheck.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon/cmake)

# Manual pages are kept as plain text in the tree and compressed for installation, without a time stamp so
# that two builds give the same bytes.
find_program(GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/reckon.1.gz
                   COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/docs/reckon.1 > ${CMAKE_BINARY_DIR}/reckon.1.gz
                   DEPENDS ${PROJECT_SOURCE_DIR}/docs/reckon.1)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/changelog.gz
                   COMMAND ${GZIP} -9nc ${CMAKE_BINARY_DIR}/changelog > ${CMAKE_BINARY_DIR}/changelog.gz
                   DEPENDS ${CMAKE_BINARY_DIR}/changelog)
add_custom_target(reckon_man ALL DEPENDS ${CMAKE_BINARY_DIR}/reckon.1.gz ${CMAKE_BINARY_DIR}/changelog.gz)
install(FILES ${CMAKE_BINARY_DIR}/reckon.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# The program finds its specs and the pages of `reckon explain` beside itself (../share/reckon); the build folder offers the same view.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/reckon)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/specs ${CMAKE_BINARY_DIR}/share/reckon/specs SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/share/confirm ${CMAKE_BINARY_DIR}/share/reckon/confirm SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/docs/checks ${CMAKE_BINARY_DIR}/share/reckon/checks SYMBOLIC)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Reckon developers <reckon@example.org>")
set(CPACK_PACKAGE_VENDOR "The Reckon developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Reckon reads a build, follows each function path by path and across calls, and
 reports references that are leaked, released once too often, used after their
 release, or handed on although they were only borrowed. It knows CPython
 extensions, R packages and Linux drivers; specs in text files describe others.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Clang's own headers (stddef.h and its like) come with this package; Bear records builds for `reckon run`.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-19-dev, python3")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bear, bubblewrap")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
