# The verbs. What stands behind ... are flags of the command.

inspect <- function(data, class = NULL, ..., progress = NULL) {
  data <- moved(data, list(class = class, ...), name_of(substitute(data)))
  with_folder(function(folder) {
    source <- source_of(data)
    answer <- run_verb("inspect", source, folder, data$flags, progress)
    new_result("dither_inspection", answer, source)
  })
}

protect <- function(data, class = NULL, ..., seed = NULL, report = FALSE, record = FALSE, row_names = "fresh",
                    on_withheld = "stop", progress = NULL) {
  call <- moved(data, list(class = class, ...), name_of(substitute(data)))
  release("protect", call, seed, report, record, row_names, on_withheld, progress)
}

synthesise <- function(data, class = NULL, ..., seed = NULL, report = FALSE, record = FALSE, on_withheld = "stop",
                       progress = NULL) {
  call <- moved(data, list(class = class, ...), name_of(substitute(data)))
  release("synthesise", call, seed, report, record, "fresh", on_withheld, progress)
}

choose <- function(data, class = NULL, ..., seed = NULL, report = FALSE, record = FALSE, on_withheld = "stop",
                   progress = NULL) {
  # base::choose(n, k) counts subsets: code that uses it goes on working when this package is attached
  if (missing(data)) return(base::choose(...))
  if (is.numeric(data)) return(if (is.null(class)) base::choose(data, ...) else base::choose(data, class))
  call <- moved(data, list(class = class, ...), name_of(substitute(data)))
  release("choose", call, seed, report, record, "fresh", on_withheld, progress)
}

tabulate <- function(data, by = NULL, ..., seed = NULL, report = FALSE, record = FALSE, on_withheld = "stop",
                     progress = NULL) {
  # base::tabulate(bin, nbins) counts codes
  if (missing(data)) return(base::tabulate(...))
  if (is.numeric(data) || is.factor(data))
    return(if (is.null(by)) base::tabulate(data, ...) else base::tabulate(data, by))
  if (is.null(by)) stop_usage("by names the columns of a table: by = \"region,size\", and one for each table")
  call <- moved(data, list(by = by, ...), name_of(substitute(data)))
  release("tabulate", call, seed, report, record, "fresh", on_withheld, progress)
}

evaluate <- function(original, released, class = NULL, ..., plan = NULL, progress = NULL) {
  name <- name_of(substitute(original))
  answer <- of_two("evaluate", original, released, list(class = class, ...), name, plan, progress)
  new_result("dither_evaluation", answer)
}

attack <- function(original, released, class = NULL, ..., plan = NULL, progress = NULL) {
  name <- name_of(substitute(original))
  answer <- of_two("attack", original, released, list(class = class, ...), name, plan, progress)
  new_result("dither_evaluation", answer)
}

judge <- function(original, released, class = NULL, ..., plan = NULL, on_withheld = "stop", progress = NULL) {
  on_withheld <- one_of(on_withheld, c("stop", "return"))
  name <- name_of(substitute(original))
  answer <- of_two("evaluate", original, released, list(class = class, ...), name, plan, progress)
  state <- verdict_of(answer$document)[["state"]]
  judged <- !answer$status %in% c(broken, unproven) && !is.null(state) && state != "not judged"
  if (!judged && !identical(list(...)[["limits"]], "none") && on_withheld == "stop") stop_withheld(answer$document)
  new_result("dither_evaluation", answer)
}

compare <- function(data, class = NULL, ..., method, progress = NULL) {
  flags <- list(class = class, method = paste(method, collapse = ","), ...)
  data <- moved(data, flags, name_of(substitute(data)))
  with_folder(function(folder) {
    source <- source_of(data)
    answer <- run_verb("compare", source, folder, data$flags, progress)
    new_result("dither_comparison", answer, source)
  })
}

mine <- function(what, data, class = NULL, ..., progress = NULL) {
  what <- one_of(what, c("clusters", "itemsets", "model", "rules", "tree"))
  data <- moved(data, list(class = class, ...), name_of(substitute(data)))
  with_folder(function(folder) {
    source <- source_of(data)
    answer <- run_verb(c("mine", what), source, folder, data$flags, progress)
    new_result("dither_mined", answer, source)
  })
}

verify <- function(record, ...) {
  with_folder(function(folder) {
    if (is.raw(record)) record <- private_write(record, file.path(folder, "record.json"))
    answer <- call_program(c("verify", path_of(record), flags_of(list(...))), folder)
    new_result("dither_verification", answer)
  })
}

# A call that makes a table, and judges it.
release <- function(verb, data, seed, report, record, row_names, on_withheld, progress) {
  on_withheld <- one_of(on_withheld, c("stop", "return"))
  row_names <- one_of(row_names, c("fresh", "keep"))
  if (row_names == "keep" && !isTRUE(data$flags[["keep_order"]]))
    stop_usage("row_names = \"keep\" needs keep_order = TRUE: in random order no row has a name of its own")
  source <- source_of(data)
  with_folder(function(folder) {
    place <- function(wanted, name) {
      if (isTRUE(wanted)) file.path(folder, name) else if (!isFALSE(wanted) && !is.null(wanted)) path_of(wanted)
    }
    tables <- verb == "tabulate"
    out <- file.path(folder, if (tables) "release.csv" else "release.arrows")
    plan <- if (!tables) place(if (is.null(data$flags[["plan_out"]])) TRUE else data$flags[["plan_out"]], "plan.json")
    report <- place(report, "report.html")
    record <- place(record, "record.json")
    data$flags[["plan_out"]] <- NULL
    more <- c(list(plan_out = plan, report = report, record = record), seed_flag(seed, folder))
    answer <- run_verb(verb, source, folder, c(data$flags, more), progress, c("-o", out))
    written <- file.exists(out)
    if (!written && on_withheld == "stop") stop_withheld(answer$document)
    result <- new_result(if (tables) c("dither_tables", "dither_release") else "dither_release", answer, source)
    if (written && tables) result$data <- read_cells(out)
    else if (written) {
      result$stream <- read_raw(out)
      result$data <- source$back(read_arrow(result$stream))
      if (row_names == "keep" && is.data.frame(data$data)) {
        attr(result$data, "row.names") <- attr(data$data, "row.names")
        result$notes <- grep("^the row names are not released", result$notes, value = TRUE, invert = TRUE)
      }
    }
    if (!is.null(plan)) result$plan <- read_raw(plan)
    if (!is.null(record)) result$record <- read_raw(record)
    if (!is.null(report) && file.exists(report))
      result$report <- utf8(paste(readLines(report, encoding = "UTF-8", warn = FALSE), collapse = "\n"))
    result
  })
}

# A call on an original and its release. A release that was made here brings its plan along.
of_two <- function(verb, original, released, flags, name, plan, progress) {
  if (missing(released)) {
    if (!methods::is(original, "sdcMicroObj")) stop_usage("released is missing: the table that may go out")
    released <- released_sdcMicro(original)
    flags <- c(flags, list(paired = TRUE)[is.null(flags[["paired"]])])
  }
  original <- moved(original, flags, name)
  with_folder(function(folder) {
    if (inherits(released, "dither_release")) {
      if (is.null(released$stream)) stop_usage("the release was withheld, so there is no table")
      if (is.null(plan)) plan <- released$plan
      path <- private_write(released$stream, file.path(folder, "release"))
    } else {
      other <- source_of(moved(released, original$flags["leave_out"], "release"))
      path <- other$place
      if (is.null(path)) write_arrow(other$columns, other$rows, path <- file.path(folder, "release"))
    }
    if (is.raw(plan)) plan <- private_write(plan, file.path(folder, "plan.json"))
    source <- source_of(original)
    run_verb(verb, source, folder, c(original$flags, list(plan = plan)), progress, path)
  })
}

# Runs a verb on a table, which goes to a file in the folder where it is none yet.
run_verb <- function(verb, source, folder, flags, progress, more = NULL) {
  taken <- intersect(names(flags), c("output", "format", "json", "events", "help", "verbose"))
  if (length(taken)) stop_usage(taken[1L], " is no argument here: what the call returns takes its place")
  place <- source$place
  if (is.null(place)) {
    dir.create(file.path(folder, "original"), mode = "0700")
    write_arrow(source$columns, source$rows, place <- file.path(folder, "original", source$name))
  }
  if (is.null(progress) && interactive()) progress <- show_progress
  call_program(c(verb, place, more, flags_of(flags)), folder, progress)
}

# What a table is called in what is said of it: its name where it has one.
name_of <- function(expression) {
  if (is.symbol(expression)) gsub("[^A-Za-z0-9_-]", "_", as.character(expression)) else "data"
}

one_of <- function(value, allowed) {
  if (is.character(value) && length(value) == 1L && value %in% allowed) return(value)
  stop_usage(deparse1(substitute(value)), " is ", paste(quoted(allowed), collapse = " or "))
}

path_of <- function(path) {
  if (is.character(path) && length(path) == 1L && !is.na(path)) return(path.expand(enc2utf8(path)))
  stop_usage("a path is one text, not ", class(path)[1L])
}

# The flag that says the seed: a short one stands there, a secret one in a file that its owner alone can read.
seed_flag <- function(seed, folder) {
  if (is.null(seed)) return(NULL)
  if (length(seed) == 1L && !is.na(seed)) {
    if (is.numeric(seed) && seed == floor(seed) && seed >= 0 && seed < 2^53) return(list(seed = sprintf("%.0f", seed)))
    if (is.character(seed) && grepl("^[0-9a-fA-F]{64}$", seed))
      return(list(seed_file = private_write(seed, file.path(folder, "seed"))))
    if (is.character(seed)) return(list(seed_file = path_of(seed)))
  }
  stop_usage("seed is a file, 64 hexadecimal digits, or a short seed: a whole number such as 42")
}

read_raw <- function(path) if (file.exists(path)) readBin(path, "raw", file.size(path))

read_cells <- function(path) {
  cells <- utils::read.csv(path, check.names = FALSE, encoding = "UTF-8", na.strings = "")
  cells$status <- as.character(cells$status)
  cells
}
