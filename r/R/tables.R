# A data frame as columns that the program reads, and its release as a data frame of the same kind.

# What a caller gave, as moved() has it: list(place) for a file or an address, else list(columns, rows, back), where
# back makes of the columns of a release (a named list of vectors) what the caller has.
source_of <- function(call) {
  data <- call$data
  if (is.character(data) && length(data) == 1L && !is.na(data))
    return(list(place = enc2utf8(data), notes = character(), back = as_frame))
  if (!is.data.frame(data))
    stop_usage("data is ", class(data)[1L], ", which is no table: give a data frame, a tibble, a data.table, or a path")
  columns <- as.list(data)
  names <- names(columns)
  if (length(columns) == 0L || anyNA(names) || !all(nzchar(names)) || anyDuplicated(names))
    stop_usage("data needs columns, each with a name of its own: names(data) <- make.unique(names(data))")
  known <- vapply(columns, is_held, NA)
  if (any(bad <- !known & !names %in% call$flags[["leave_out"]])) {
    kinds <- vapply(columns[bad], function(x) class(x)[1L], "")
    stop_usage("columns that a table of people cannot hold: ", paste0(quoted(names[bad]), " (", kinds, ")",
      collapse = ", "), ". Make them numbers, text or factors, or leave them out: leave_out = ",
      deparse1(names[bad]))
  }
  columns <- columns[known]
  wires <- Map(wire, columns, names[known], MoreArgs = list(taken = names))
  notes <- character()
  if (.row_names_info(data) > 0L)
    notes <- "the row names are not released: data$id <- row.names(data) makes a column of them"
  columns <- unlist(lapply(unname(wires), function(w) w$columns), recursive = FALSE)
  marks <- unique(unlist(lapply(columns, marks_of)))
  if (length(marks)) notes <- c(notes, paste0("the texts ", paste(quoted(marks), collapse = ", "),
    " are read as missing, and come back as NA; recode them where they are values"))
  list(name = call$name, columns = columns, rows = nrow(data), notes = notes,
    back = function(got) like_frame(restore(got, wires), data))
}

# Texts that the program takes for missing values, in any table.
marks_of <- function(column) {
  texts <- switch(column$type, utf8 = column$values, dictionary = levels(column$values))
  intersect(c("", "?", "NA", "NaN"), texts)
}

# Which columns a table of people can hold.
is_held <- function(x) {
  if (!is.null(dim(x)) || !(is.atomic(x)) || is.raw(x) || is.complex(x)) return(FALSE)
  !is.object(x) || inherits(x, c("factor", "Date", "POSIXct", "difftime", "integer64", "haven_labelled", "AsIs"))
}

quoted <- function(x) paste0("\"", x, "\"")

# A column as it travels, list(columns, back): mostly one column, and what makes of a column of a release one like x.
# Values that do not fit the type of x are not bent: the column then keeps the type that it comes in.
wire <- function(x, name, taken) {
  if (inherits(x, "AsIs")) class(x) <- setdiff(class(x), "AsIs")
  if (inherits(x, "haven_labelled") || is_tagged(x)) return(wire_labelled(x, name, taken))
  one <- function(type, values, back) list(columns = list(list(name = name, type = type, values = values)),
    back = function(got) list(keep_declared(back(got), x)))
  if (is.factor(x)) return(one("dictionary", plain_factor(x), function(got) like_factor(got, x)))
  if (is.character(x)) return(one("utf8", as_utf8(x, name), like_text))
  if (is.logical(x)) return(one("bool", as.vector(x), identity))
  if (inherits(x, "integer64")) return(one("int64", x, like_integer64))
  if (inherits(x, "Date")) return(one("date", x, function(got) like_date(got, x)))
  if (inherits(x, "POSIXct")) return(one("timestamp", x, function(got) like_instant(got, x)))
  numbers <- as.vector(unclass(x))
  one(if (is.integer(x)) "int32" else "double", numbers, function(got) like_number(got, x))
}

# Texts as UTF-8. What is not marked is in the encoding of the session, or UTF-8 already.
as_utf8 <- function(x, name) {
  x <- as.vector(x)
  out <- enc2utf8(x)
  at <- which(Encoding(x) == "unknown" & !is.na(x))
  out[at] <- iconv(x[at], "", "UTF-8")
  at <- at[is.na(out[at])]
  out[at] <- utf8(x[at])
  if (any(Encoding(x) == "bytes" | !validUTF8(out)))
    stop_usage("column ", quoted(name), " has text in an encoding that R does not know: iconv(x, from = \"latin1\", ",
      "to = \"UTF-8\") makes it readable")
  out
}

# Levels as UTF-8, without one that is NA.
plain_factor <- function(x) {
  labels <- as_utf8(levels(x), "levels")
  if (anyNA(labels)) x <- factor(as.character(x), labels[!is.na(labels)], ordered = is.ordered(x))
  else levels(x) <- labels
  structure(as.integer(x), levels = levels(x), class = class(x))
}

# The levels that x had, in their order, and new ones, such as ranges of numbers, behind them. A list with levels that
# no record has was declared, so it tells nothing of the records and comes back whole; of another one a level that the
# release lacks would tell that somebody had it.
like_factor <- function(got, x) {
  texts <- as.character(got)
  known <- levels(x)[!is.na(levels(x))]
  held <- unique(texts[!is.na(texts)])
  if (all(known %in% as.character(x))) known <- known[known %in% held]
  out <- factor(texts, c(known, sort(setdiff(held, known), method = "radix")), ordered = is.ordered(x))
  if (anyNA(levels(x))) addNA(out, ifany = TRUE) else out
}

like_text <- function(got) if (is.factor(got) || is_day(got)) as.character(got) else got

is_day <- function(x) inherits(x, c("Date", "POSIXct"))

like_number <- function(got, x) {
  if (!is.numeric(got) || is.object(got)) return(got)
  if (is.integer(x)) {
    whole <- is.na(got) | (got == floor(got) & abs(got) <= .Machine$integer.max)
    if (!all(whole)) return(got)
    got <- as.integer(got)
  } else got <- as.double(got)
  if (is.object(x)) attributes(got) <- attributes(x)[c("class", "units")]
  got
}

like_integer64 <- function(got) {
  if (is.factor(got)) got <- as.character(got) # those beyond 2^53 are categories
  if (is.character(got) || !is.numeric(got) || !all(is.na(got) | got == floor(got))) return(got)
  bytes <- int_bytes(replace(got, is.na(got), 0), 8L)
  out <- readBin(bytes, "double", length(got), endian = "little")
  out[is.na(got)] <- -0.0
  structure(out, class = "integer64")
}

like_date <- function(got, x) {
  if (inherits(got, "POSIXct") && all(is.na(got) | unclass(got) %% 86400 == 0)) got <- as.Date(got)
  if (inherits(got, "Date") && is.integer(x)) storage.mode(got) <- "integer"
  got
}

like_instant <- function(got, x) {
  if (inherits(got, "Date")) got <- as.POSIXct(got)
  if (inherits(got, "POSIXct")) attr(got, "tzone") <- attr(x, "tzone")
  got
}

# What a file declared of a column, such as the question in words, says nothing of its records.
keep_declared <- function(got, x) {
  for (name in c("label", "format.stata", "format.spss", "format.sas", "display_width"))
    if (!is.null(value <- attr(x, name, exact = TRUE))) attr(got, name) <- value
  got
}

# The columns of a release, each as it was; what a column of reasons said is in its column again.
restore <- function(got, wires) {
  out <- list()
  for (w in wires) {
    names <- vapply(w$columns, function(column) column$name, "")
    present <- names[names %in% names(got)]
    if (length(present) == 0L) next
    back <- do.call(w$back, unname(got[present]))
    names(back) <- present[seq_along(back)]
    out <- c(out, back)
    got[present] <- NULL
  }
  c(out, got) # of a technique that adds columns
}

as_frame <- function(columns) {
  rows <- if (length(columns)) length(columns[[1L]]) else 0L
  structure(columns, row.names = .set_row_names(rows), class = "data.frame")
}

# A data frame of the kind of another one; what is of a group or a key is not kept.
like_frame <- function(columns, data) {
  out <- as_frame(columns)
  if (inherits(data, "data.table") && requireNamespace("data.table", quietly = TRUE))
    return(data.table::as.data.table(out))
  if (inherits(data, "tbl_df")) class(out) <- c("tbl_df", "tbl", "data.frame")
  out
}
