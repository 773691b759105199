# Address and undefined behaviour sanitizers for everything that links reckon_options.
# - vptr checks need run-time type information, which capture/ is built without (as Clang itself is).
# - Every report is fatal: a test that only prints one would still pass.
set(flags -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
target_compile_options(reckon_options INTERFACE ${flags} -fno-omit-frame-pointer)
target_link_options(reckon_options INTERFACE ${flags})
# The instrumented code sets off false -Wmaybe-uninitialized and the like in GCC 12; the plain build warns.
target_compile_options(reckon_options INTERFACE -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
