# What `cmake --install` puts where, and the .deb that CPack makes of it.
include(GNUInstallDirs)

install(TARGETS reckon RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY specs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon/specs FILES_MATCHING PATTERN "*.spec"
        PATTERN "*.h")
install(DIRECTORY docs/checks DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon OPTIONAL FILES_MATCHING PATTERN "*.md")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian's policy asks for the licence under this name.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

install(FILES completions/reckon.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME reckon)
install(FILES completions/_reckon DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES completions/reckon.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES recipes/ReckonCheck.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/reckon/cmake)

# Manual pages are kept as plain text in the tree and compressed for installation, without a time stamp so
# that two builds give the same bytes.
find_program(GZIP gzip REQUIRED)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/reckon.1.gz
                   COMMAND ${GZIP} -9nc ${PROJECT_SOURCE_DIR}/docs/reckon.1 > ${CMAKE_BINARY_DIR}/reckon.1.gz
                   DEPENDS ${PROJECT_SOURCE_DIR}/docs/reckon.1)
add_custom_target(reckon_man ALL DEPENDS ${CMAKE_BINARY_DIR}/reckon.1.gz)
install(FILES ${CMAKE_BINARY_DIR}/reckon.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# The program finds its specs and the pages of `reckon explain` beside itself (../share/reckon); the build folder offers the same view.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/reckon)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/specs ${CMAKE_BINARY_DIR}/share/reckon/specs SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/docs/checks ${CMAKE_BINARY_DIR}/share/reckon/checks SYMBOLIC)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Reckon developers <reckon@localhost>")
set(CPACK_PACKAGE_VENDOR "The Reckon developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Clang's own headers (stddef.h and its like) come with this package; Bear records builds for `reckon run`.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-19-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bear")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
