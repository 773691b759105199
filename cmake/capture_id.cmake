# Writes OUTPUT, a header that defines RECKON_CAPTURE_ID as a hash of the sources that decide what a captured unit
# holds. The cache key contains it, so a change elsewhere in the program does not throw captured units away.
list(SORT SOURCES)
set(all "")
foreach(file IN LISTS SOURCES)
  file(SHA256 ${file} hash)
  string(APPEND all "${hash}\n")
endforeach()
string(SHA256 id "${all}")
string(SUBSTRING ${id} 0 32 id)
file(WRITE ${OUTPUT} "#define RECKON_CAPTURE_ID \"${id}\"\n")
