# Calls native routines of a package so that what the collector takes too early shows. The driver puts variables before it:
# reckon_record (the file of counters), reckon_out (gets a line for each thing that was seen), reckon_wanted (places of
# findings), reckon_library (what was built from the rewritten sources), reckon_seconds (for one call, and for all).
#
# A call that comes to a place of a finding is made in a child process, twice as it is and then, in another child, while
# every allocation collects garbage. An R that was configured with --enable-strict-barrier does not use again what it has
# freed, and says so when something reads it ("unprotected object"); for any other R a signal or another value tells.
# What C code prints goes to a text connection meanwhile, which allocates, as it does wherever output is captured.
reckon_counts <- function() {
  con <- file(reckon_record, "rb")
  on.exit(close(con))
  readBin(con, "integer", 32768)
}

# An error leaves a C function by a jump: which one was at work is told anew for each call.
reckon_nobody_works <- function() {
  if (!nzchar(reckon_record)) return(invisible())
  con <- file(reckon_record, "r+b")
  on.exit(close(con))
  seek(con, 0, rw = "write")
  writeBin(0L, con)
}

reckon_say <- function(...) cat(paste(..., sep = "\t"), "\n", sep = "", file = reckon_out, append = TRUE)

# Arguments that a routine may change where they stand: each call gets vectors of its own.
reckon_copied <- function(a) {
  if (is.atomic(a) && !is.null(a) && !is.character(a)) return(unserialize(serialize(a, NULL)))
  if (!is.list(a) || isS4(a)) return(a)
  about <- attributes(a)
  a <- lapply(unclass(a), reckon_copied)
  attributes(a) <- about
  a
}

# The call with its arguments, ready to be made; all that R does for it before is done now.
reckon_ready <- function(real, args) function() as.call(c(list(real), lapply(lapply(args, reckon_copied), enquote)))

reckon_value <- function(ready) {
  ready <- ready()
  tryCatch(eval(ready), error = function(e) paste("error:", conditionMessage(e)))
}

reckon_tortured <- function(ready) {
  ready <- ready()
  reckon_nobody_works()
  printed <- textConnection(NULL, "w")
  sink(printed)
  sink(printed, type = "message")
  value <- tryCatch({
    gctorture2(1L, 0L, TRUE)
    value <- eval(ready)
    # What was freed and is still in the value is overwritten now.
    kept <- list()
    for (i in 1:2) kept <- list(kept, i + 0.5, c(7L, i), c(i, 2.5, 3.5, 4.5))
    gctorture2(0L)
    value
  }, error = function(e) {
    gctorture2(0L)
    paste("error:", conditionMessage(e))
  })
  sink(type = "message")
  sink()
  close(printed)
  value
}

# What is harm about a value that was computed while everything was collected, beside the usual one; "" if nothing.
reckon_harm <- function(value, usual, steady) {
  of_error <- "^(error: )?unprotected object"
  told <- function(x) is.character(x) && length(x) == 1L && grepl(of_error, x)
  words <- function(x) sub("^error: ", "", sub(" \\(0x[0-9a-f]+\\)", "", x))
  if (told(value)) return(if (told(usual)) "" else words(value))
  # Something freed may be inside of it.
  same <- tryCatch(identical(value, usual), error = conditionMessage)
  if (told(same)) return(paste("in the value:", words(same)))
  if (steady && !isTRUE(same)) return("another value than without")
  ""
}

# What work() gives, in a process of its own: a word. "signal" if that process was ended by one, "late" if it takes too long.
reckon_in_child <- function(work) {
  word <- paste0(reckon_out, ".word")
  unlink(word)
  child <- parallel:::mcfork()
  if (inherits(child, "masterProcess")) {
    said <- tryCatch(as.character(work()), error = function(e) "failed")
    writeLines(said, word)
    parallel:::mcexit(0L)
  }
  heard <- parallel:::selectChildren(child, reckon_seconds[1])
  if (isTRUE(heard) || is.null(heard)) {
    tools::pskill(child$pid, 9L)
    said <- "late"
  } else {
    said <- if (file.exists(word)) readLines(word)[1] else "signal"
  }
  try(parallel:::readChild(child), silent = TRUE)
  said
}

reckon_busy <- FALSE
reckon_shown <- integer()  # places, once for each call that showed harm there
reckon_enough <- 3L
reckon_begin <- proc.time()[["elapsed"]]

# Tries one call; `label` is how it can be made again. TRUE if it came to a place of a finding.
reckon_try <- function(label, real, args) {
  if (proc.time()[["elapsed"]] - reckon_begin > reckon_seconds[2]) return(FALSE)
  before <- reckon_counts()
  ready <- reckon_ready(real, args)
  steady <- reckon_in_child(function() identical(reckon_value(ready), reckon_value(ready)))
  hits <- intersect(which(reckon_counts() != before) - 1L, reckon_wanted)
  if (length(hits) == 0L) return(FALSE)
  reckon_say("reached", label, paste(hits, collapse = " "))
  if (steady %in% c("signal", "late") || all(vapply(hits, function(n) sum(reckon_shown == n), 0) >= reckon_enough)) return(TRUE)
  harm <- reckon_in_child(function() {
    value <- reckon_tortured(ready)
    inside <- reckon_counts()[1]
    harm <- reckon_harm(value, reckon_value(ready), steady == "TRUE")
    if (nzchar(harm)) paste(inside, harm) else ""
  })
  if (harm == "signal") harm <- paste(reckon_counts()[1], harm)
  if (!grepl("^[0-9]+ ", harm)) return(TRUE)
  inside <- as.integer(sub(" .*", "", harm))
  reckon_say("harm", label, inside, sub("^[0-9]+ ", "", harm))
  reckon_shown <<- c(reckon_shown, if (inside %in% reckon_wanted) inside else hits)
  TRUE
}

# Other arguments of the same kinds: numbers of the other type, without attributes, flags turned, lists as pairlists.
reckon_other_type <- function(a) {
  if (is.list(a) && !isS4(a) && length(a) && length(a) <= 20L) {
    about <- attributes(a)
    a <- lapply(unclass(a), reckon_other_type)
    attributes(a) <- about
    return(a)
  }
  if (isS4(a) || is.factor(a)) return(a)
  if (is.double(a) || is.logical(a)) suppressWarnings(storage.mode(a) <- "integer")
  else if (is.integer(a)) storage.mode(a) <- "double"
  a
}

reckon_variants <- function(args, first) {
  out <- list(args)
  at <- setdiff(seq_along(args), first)
  if (!is.null(names(args))) at <- at[names(args)[at] != "PACKAGE"]
  add <- function(changed) out[[length(out) + 1L]] <<- changed
  put <- function(list, i, value) {
    list[i] <- base::list(value)
    list
  }
  flags <- at[vapply(args[at], function(a) is.logical(a) && length(a) == 1L, NA)]
  numbers <- at[vapply(args[at], function(a) is.numeric(a) && !is.factor(a), NA)]
  for (kind in c("integer", "double")) {
    all <- args
    for (i in numbers) suppressWarnings(storage.mode(all[[i]]) <- kind)
    if (!identical(all, args)) add(all)
    for (i in flags) add(put(all, i, !all[[i]]))
    if (length(flags) > 1L) {
      for (i in flags) all[[i]] <- FALSE
      add(all)
    }
  }
  for (i in at) {
    a <- args[[i]]
    other <- reckon_other_type(a)
    if (!identical(other, a)) add(put(args, i, other))
    if (is.character(a) && length(a) == 1L) add(put(args, i, 12.5))
    if (is.numeric(a) && length(a) == 1L) add(put(args, i, "12.5"))
    if (!isS4(a) && !is.null(attributes(a)) && is.vector(unclass(a))) add(put(args, i, as.vector(unclass(a))))
    if (is.list(a) && !is.null(names(a)) && !isS4(a)) add(put(args, i, as.pairlist(a)))
    if (!is.null(a)) add(put(args, i, NULL))
  }
  unique(out)
}

# Native calls of the package's own code, tried before they are made. `target` is the only one to show, if it is given.
reckon_watch <- function(path, package, target = NULL) {
  reckon_made <<- list()
  for (kind in c(".Call", ".External", ".External2", ".C", ".Fortran", ".External.graphics", ".Call.graphics")) local({
    kind <- kind
    real <- get(kind, baseenv())
    wrapped <- function(.NAME, ..., PACKAGE) {
      args <- list(.NAME, ...)
      if (!missing(PACKAGE)) args$PACKAGE <- PACKAGE
      if (!reckon_busy) {
        reckon_busy <<- TRUE
        where <- if (inherits(.NAME, "NativeSymbolInfo")) .NAME$dll[["path"]] else ""
        ours <- identical(where, path) || (is.character(.NAME) && !missing(PACKAGE) && identical(PACKAGE, package)) ||
          (where == "" && identical(environmentName(topenv(parent.frame())), package))
        if (ours) try(reckon_seen(kind, real, args, target), silent = TRUE)
        reckon_busy <<- FALSE
      }
      do.call(real, args, quote = TRUE)
    }
    unlockBinding(kind, baseenv())
    assign(kind, wrapped, baseenv())
  })
}

reckon_seen <- function(kind, real, args, target) {
  name <- if (is.character(args[[1]])) args[[1]] else args[[1]]$name
  times <- reckon_made[[name]] <<- (if (is.null(reckon_made[[name]])) 0L else reckon_made[[name]]) + 1L
  if (!is.null(target)) {
    if (target[[1]] == name && target[[2]] == times) {
      chosen <- reckon_variants(args, 1L)[[target[[3]]]]
      reckon_show(real, chosen)
    }
    return(invisible())
  }
  if (times > 4L || sum(reckon_all[name], na.rm = TRUE) > 12L) return(invisible())
  reckon_all[name] <<- sum(reckon_all[name], na.rm = TRUE) + 1L
  variants <- reckon_variants(args, 1L)
  for (i in seq_along(variants))  # a call that does not come to a place of a finding is not varied
    if (!reckon_try(paste(reckon_script, name, times, i), real, variants[[i]]) && i == 1L) break
}

# In a process of its own: what is seen is printed.
reckon_show <- function(real, args) {
  message("this call is made while every allocation collects garbage")
  ready <- reckon_ready(real, args)
  value <- reckon_tortured(ready)
  inside <- if (nzchar(reckon_record)) reckon_counts()[1] else 0
  usual <- reckon_value(ready)
  harm <- reckon_harm(value, usual, identical(usual, reckon_value(ready)))
  cat("seen:", inside, if (nzchar(harm)) harm else "nothing", "\n")
  quit("no", 0L)
}

# One script of the package, expression by expression: what one of them does wrong is not the others'.
reckon_run_script <- function(file, number) {
  reckon_script <<- number
  reckon_made <<- list()
  set.seed(1)
  where <- new.env(parent = globalenv())
  for (expression in tryCatch(parse(file), error = function(e) NULL)) {
    if (proc.time()[["elapsed"]] - reckon_begin > reckon_seconds[2]) return(invisible())
    setTimeLimit(elapsed = reckon_seconds[2], transient = TRUE)
    try(eval(expression, where), silent = TRUE)
    setTimeLimit()
    reckon_busy <<- FALSE
  }
}
reckon_all <- integer()
reckon_made <- list()
reckon_script <- 0
