# One call of the program. Tables and all else that is confidential are in a folder that its owner alone can read, in
# memory where the system has such a place. On Unix a shell watches over the folder: it ends a program that still runs,
# and removes the folder, when the pipe to R closes, which it does after a call, after an error and an interrupt, and
# also when R itself is killed.

done <- 0L
failed <- 1L
usage <- 2L
broken <- 3L
unproven <- 4L

dither_path <- function(required = TRUE) {
  named <- c(getOption("dither.path", ""), Sys.getenv("DITHER"))
  named <- named[nzchar(named)]
  path <- if (length(named)) Sys.which(path.expand(named[1L])) else Sys.which("dither")
  if (length(named) && !nzchar(path)) {
    if (required) stop_dither("there is no program ", named[1L],
      ": correct options(dither.path = ) or the environment variable DITHER, which name it")
    return("")
  }
  if (!nzchar(path) && required)
    stop_dither("the program dither is not on the PATH. Install it (https://github.com/dither-data/dither), and where ",
      "it is elsewhere, say so: options(dither.path = \"/path/to/dither\"), or the environment variable DITHER")
  unname(path)
}

# A new folder that its owner alone can read.
private_folder <- function() {
  places <- c("/dev/shm", tempdir())
  for (place in places[file.access(places, 2L) == 0L]) {
    path <- tempfile(paste0("dither-", Sys.getpid(), "-"), place)
    if (dir.create(path, showWarnings = FALSE, mode = "0700")) return(path)
  }
  stop_dither("no temporary folder can be made in ", tempdir())
}

# A new file that its owner alone can read, open for writing.
private_file <- function(path) {
  old <- Sys.umask("077")
  on.exit(Sys.umask(old))
  file(path, "wb")
}

private_write <- function(content, path) {
  con <- private_file(path)
  on.exit(close(con))
  if (is.raw(content)) writeBin(content, con) else writeLines(enc2utf8(content), con, useBytes = TRUE)
  path
}

# Runs work(folder) with a folder that is gone afterwards. On Unix a shell waits for the end of a pipe to R, and then
# removes the folder too: that end comes even where R is killed.
with_folder <- function(work) {
  folder <- private_folder()
  guarded <- .Platform$OS.type != "windows"
  guard <- if (guarded) pipe(paste("sh -c", shQuote(guard_script), "sh", shQuote(folder), "2>/dev/null"), "w")
  on.exit({
    unlink(folder, recursive = TRUE, force = TRUE)
    if (guarded) close(guard)
  })
  work(folder)
}

guard_script <- "
trap '' INT HUP
read -r _
if [ -s \"$1/pid\" ] && ! [ -e \"$1/status\" ]; then
  kill \"$(cat \"$1/pid\")\"
  n=0
  until [ -e \"$1/status\" ] || [ $n -gt 100 ]; do sleep 0.05; n=$((n+1)); done
fi
rm -rf \"$1\""

# Runs the program, with a folder for what it says. Returns the exit status, the document and the notes; errors that the
# program names are raised.
call_program <- function(arguments, folder, progress = NULL) {
  program <- dither_path()
  place <- function(name) file.path(folder, name)
  command <- c(arguments, "--json", "--events")
  said <- listen(place("events"), progress)
  run <- if (.Platform$OS.type == "windows") run_waiting else run_watched
  status <- run(program, command, folder, said)
  said$read()
  if (!status %in% c(done, broken, unproven)) {
    says <- said$complaint()
    if (!length(says)) says <- paste("the program ended with status", status)
    says <- sub("^dither: ", "", paste(says, collapse = "\n"))
    if (status == usage) stop_usage(says) else stop_dither(says)
  }
  text <- readLines(place("document"), encoding = "UTF-8", warn = FALSE)
  list(status = status, notes = said$notes(),
    document = if (length(text)) jsonlite::parse_json(utf8(paste(text, collapse = "\n"))))
}

run_script <- "
umask 077
trap '' INT HUP
folder=$1
shift
sh -c 'echo $$ >\"$0\"; exec \"$@\"' \"$folder/pid\" \"$@\" </dev/null >\"$folder/document\" 2>\"$folder/events\"
echo $? >\"$folder/done\"
mv \"$folder/done\" \"$folder/status\""

# The program is started by a pipe, so that it does not hold the pipe of the guard.
run_watched <- function(program, command, folder, said) {
  line <- shQuote(c(run_script, "sh", folder, program, command))
  run <- pipe(paste(c("sh -c", line, "2>/dev/null"), collapse = " "), "w")
  on.exit({
    end_program(folder)
    close(run)
  })
  wait <- 0.005
  while (!file.exists(file.path(folder, "status"))) {
    Sys.sleep(wait)
    wait <- min(0.1, wait * 1.2)
    said$read()
  }
  as.integer(readLines(file.path(folder, "status"), n = 1L))
}

# Ends a program that still runs, by force where it takes longer than five seconds.
end_program <- function(folder) {
  known <- 0L
  for (attempt in 1:300) {
    if (file.exists(file.path(folder, "status"))) return()
    pid <- file.path(folder, "pid")
    pid <- if (file.exists(pid)) as.integer(readLines(pid, warn = FALSE))
    known <- known + length(pid)
    if (known == 1L) tools::pskill(pid, tools::SIGTERM)
    if (known == 100L) tools::pskill(pid, tools::SIGKILL)
    Sys.sleep(0.05)
  }
}

# Where there is no shell.
run_waiting <- function(program, command, folder, said) {
  old <- Sys.umask("077")
  on.exit(Sys.umask(old))
  quote <- function(x) shQuote(x, if (.Platform$OS.type == "windows") "cmd" else "sh")
  system2(program, quote(command), stdout = file.path(folder, "document"), stderr = file.path(folder, "events"))
}

# What the program says on standard error, line by line: it is in a file that grows.
listen <- function(path, progress) {
  notes <- character()
  complaint <- character()
  text <- character()
  at <- 0
  hear <- function(line) {
    event <- tryCatch(jsonlite::parse_json(line), error = function(e) NULL)
    kind <- if (is.list(event)) event[["event"]]
    if (is.null(kind)) text <<- c(text, line)
    else if (kind == "note") notes <<- c(notes, event[["says"]])
    else if (kind == "error") complaint <<- event[["says"]]
    else if (kind == "progress" && !is.null(progress)) {
      zero <- function(x) if (is.null(x)) 0 else x
      progress(event[["says"]], zero(event[["done"]]), zero(event[["total"]]))
    }
  }
  list(
    read = function() {
      size <- if (file.exists(path)) file.size(path) else 0
      if (size <= at) return()
      con <- file(path, "rb")
      on.exit(close(con))
      seek(con, at)
      bytes <- readBin(con, "raw", size - at)
      bytes <- bytes[seq_len(max(0L, which(bytes == as.raw(10L))))] # whole lines
      at <<- at + length(bytes)
      for (line in strsplit(utf8(rawToChar(bytes)), "\n", fixed = TRUE)[[1L]]) hear(line)
    },
    notes = function() notes,
    complaint = function() if (length(complaint)) complaint else text)
}

# In a session, the work that is going on, on one line of standard error.
show_progress <- function(work, done, total) {
  share <- if (total > 0) sprintf("%s %3.0f %%", work, 100 * done / total) else ""
  cat("\r", format(share, width = 60L), if (total == 0) "\r", sep = "", file = stderr())
}

# Arguments as flags of the command: TRUE stands alone, names and lists repeat the flag, NULL and FALSE leave it out.
flags_of <- function(flags) {
  if (length(flags) && (is.null(names(flags)) || !all(nzchar(names(flags)))))
    stop_usage("every argument behind the class needs a name, such as limits = \"survey\"")
  unlist(Map(function(name, value) {
    flag <- paste0("--", gsub("_", "-", name))
    if (is.null(value) || isFALSE(value)) return(NULL)
    if (isTRUE(value)) return(flag)
    if (!(is.atomic(value) || is.list(value) && all(lengths(value) == 1L)))
      stop_usage(name, " is ", class(value)[1L], ": give a text, a number, TRUE, or a vector of them")
    texts <- vapply(as.list(value), function(v) {
      if (is.na(v)) stop_usage(name, " is NA")
      if (is.numeric(v)) format(v, digits = 15L, scientific = FALSE, trim = TRUE) else enc2utf8(as.character(v))
    }, "")
    names <- names(value)
    paste0(flag, "=", if (!is.null(names)) paste0(names, "="), texts)
  }, names(flags), flags), use.names = FALSE)
}
