# Writes OUTPUT, a header that defines NAME as a hash of SOURCES. Keys of the cache contain it, so a change elsewhere in
# the program does not throw entries away.
list(SORT SOURCES)
set(all "")
foreach(file IN LISTS SOURCES)
  file(SHA256 ${file} hash)
  string(APPEND all "${hash}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 32 id)
file(WRITE ${OUTPUT} "#define ${NAME} \"${id}\"\n")
