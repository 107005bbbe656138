# The folders of a process.
left <- function(pid = Sys.getpid())
  list.files(c("/dev/shm", tempdir()), paste0("^dither-", pid, "-"), full.names = TRUE)

test_that("the program is found where the user says", {
  old <- options(dither.path = "/no/such/program")
  on.exit(options(old))
  expect_error(dither_path(), "no program /no/such/program", class = "dither_error")
  expect_identical(dither_path(required = FALSE), "")
  options(dither.path = Sys.which("sh"))
  expect_identical(dither_path(), unname(Sys.which("sh")))
  options(dither.path = NULL)
  before <- Sys.getenv(c("DITHER", "PATH"))
  on.exit(do.call(Sys.setenv, as.list(before)), add = TRUE)
  Sys.setenv(DITHER = "", PATH = tempdir())
  expect_error(dither_path(), "Install it", class = "dither_error")
})

test_that("nothing is left behind, and nobody else can read what is there", {
  skip_on_os("windows")
  need_program()
  modes <- with_folder(function(folder) {
    private_write("secret", file.path(folder, "x"))
    c(format(file.mode(folder)), format(file.mode(file.path(folder, "x"))))
  })
  expect_identical(modes, c("700", "600"))
  seen <- NULL
  look <- function(work, done, total) {
    folder <- left()
    seen <<- c(seen, format(file.mode(list.files(folder, recursive = TRUE, full.names = TRUE, include.dirs = TRUE))))
  }
  protect(people(2000), "ill", limits = "none", report = TRUE, record = TRUE, seed = seed, progress = look)
  expect_true(length(seen) > 0L && all(seen %in% c("600", "700")))
  expect_error(protect(people(100), "absent"), class = "dither_error")
  expect_error(protect(people(100), "ill", limits = "none", progress = function(...) stop("of the caller")),
    "of the caller")
  expect_length(left(), 0L)
})

test_that("an interrupt ends the program, and so does the end of R", {
  skip_on_os("windows")
  skip_if_not(dir.exists("/proc/self"), "/proc tells what runs")
  need_program()
  script <- tempfile(fileext = ".R")
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(c(script, folder), recursive = TRUE))
  writeLines(c(
    "library(dither)",
    "n <- 5000; d <- as.data.frame(matrix(rnorm(8 * n), n)); d$y <- sample(c('p', 'q'), n, TRUE)",
    "writeLines(as.character(Sys.getpid()), 'pid')",
    "begun <- function(...) file.create('on')",
    "tryCatch(compare(d, 'y', method = c('framework', 'gadp'), repeats = 500, progress = begun),",
    "  interrupt = function(e) writeLines('interrupted', 'caught'))"), script)
  runs <- function() {
    lines <- lapply(Sys.glob("/proc/[0-9]*/cmdline"), function(p) tryCatch(
      suppressWarnings(readBin(p, "raw", 1e4)), error = function(e) raw()))
    lines <- vapply(lines, function(b) rawToChar(replace(b, b == 0, as.raw(32))), "")
    grep(basename(folder), lines, fixed = TRUE, value = TRUE)
  }
  until <- function(what) {
    for (k in 1:1200) if (what()) return(TRUE) else Sys.sleep(0.05)
    FALSE
  }
  old <- setwd(folder)
  on.exit(setwd(old), add = TRUE)
  for (signal in c(tools::SIGINT, tools::SIGKILL)) {
    unlink(c("pid", "on", "caught"))
    # a name of its own on the command line tells the program apart
    link <- file.path(folder, "dither")
    if (!file.exists(link)) file.symlink(dither_path(), link)
    system(paste0("DITHER=", shQuote(link), " ", shQuote(file.path(R.home("bin"), "Rscript")), " --vanilla ",
      shQuote(script), " >/dev/null 2>&1"), wait = FALSE)
    expect_true(until(function() file.exists("on")), label = "the program begins")
    pid <- as.integer(readLines("pid"))
    expect_length(left(pid), 1L)
    tools::pskill(pid, signal)
    if (signal == tools::SIGINT) expect_true(until(function() file.exists("caught")), label = "the interrupt is seen")
    expect_true(until(function() length(runs()) == 0L), label = "the program ends")
    expect_true(until(function() length(left(pid)) == 0L), label = "its folder goes")
  }
})

test_that("without a shell the answers are the same", {
  need_program()
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  said <- listen(file.path(folder, "events"), NULL)
  status <- run_waiting(dither_path(), c("methods", "rnat", "--json"), folder, said)
  expect_identical(as.integer(status), 0L)
  expect_match(readLines(file.path(folder, "document"))[2L], "dither/entry/")
})
