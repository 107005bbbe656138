# What the verbs return: lists of a class of their own, made of the JSON documents, whose form "dither schema" says.

new_result <- function(class, answer, source = NULL) {
  structure(list(document = answer$document, notes = c(source$notes, answer$notes)), class = c(class, "dither_result"))
}

# Every result is shown as the first screen of the command: the state first, what was found, reasons and what to do.
print.dither_result <- function(x, ...) {
  cat(screen_of(x$document, x$notes), sep = "\n")
  invisible(x)
}

print.dither_release <- function(x, ...) {
  NextMethod()
  if (is.data.frame(x$data)) cat(sprintf("The release is $data: %d rows, %d columns.\n", nrow(x$data), ncol(x$data)))
  else cat("There is no release: it was withheld.\n")
  invisible(x)
}

print.dither_inspection <- function(x, ...) {
  width <- getOption("width")
  cat(text_of(x$document[["document"]][["title"]]), sep = "\n")
  for (section in x$document[["document"]][["sections"]]) if (identical(section[["key"]], "exposure")) {
    prose <- Filter(function(b) identical(b[["kind"]], "prose"), section[["blocks"]])
    says <- unlist(lapply(prose, function(b) texts_of(b[["says"]])))
    cat(wrapped(paste(c(paste0(text_of(section[["title"]]), ":"), says), collapse = " "), width, ""), sep = "\n")
  }
  roles <- as.data.frame(x)
  cat("The roles of the columns, suggested by their names and values (role = c(column = \"role\") changes them):\n")
  by <- split(roles$column, factor(roles$roles, unique(roles$roles)))
  cat(figure_lines(Map(function(role, columns) {
    list(title = if (nzchar(role)) role else "none", shown = paste(columns, collapse = ", "))
  }, names(by), by), width), sep = "\n")
  cat(wrapped(x$notes, width, "note: ", "      "), sep = "\n")
  invisible(x)
}

print.dither_comparison <- function(x, ...) {
  print(as.data.frame(x)[c("setting", "measure", "part", "mean", "sd")], row.names = FALSE)
  invisible(x)
}

print.dither_mined <- function(x, ...) {
  found <- tryCatch(as.data.frame(x), dither_usage = function(e) NULL)
  if (is.null(found)) utils::str(x$document, max.level = 2L, give.attr = FALSE)
  else {
    print(utils::head(found, 20L), row.names = FALSE)
    if (nrow(found) > 20L) cat(sprintf("... and %d more: as.data.frame() has them.\n", nrow(found) - 20L))
  }
  invisible(x)
}

print.dither_verification <- function(x, ...) {
  cat("verify: ", x$document[["result"]], "\n", sep = "")
  print(as.data.frame(x), row.names = FALSE, right = FALSE)
  invisible(x)
}

print.dither_tables <- function(x, ...) {
  width <- getOption("width")
  model <- x$document[["document"]]
  cat(wrapped(paste(c(toupper(verdict_of(x$document)[["state"]]), text_of(model[["title"]])), collapse = ": "), width, ""),
    sep = "\n")
  first <- Filter(function(b) identical(b[["kind"]], "list"), model[["sections"]][[1L]][["blocks"]])
  cat(wrapped(c(unlist(lapply(first, function(b) texts_of(b[["items"]]))), x$notes), width, "- ", "  "), sep = "\n")
  if (is.data.frame(x$data)) cat(sprintf("The cells are $data: %d rows.\n", nrow(x$data)))
  else cat("There are no tables: they were withheld.\n")
  invisible(x)
}

# A sentence as the command begins it.
upper <- function(text) paste0(toupper(substr(text, 1L, 1L)), substring(text, 2L))

screen_of <- function(document, notes, width = getOption("width")) {
  made <- made_of(document)
  model <- made[["document"]]
  sections <- model[["sections"]]
  verdict <- made[["verdict"]]
  state <- if (is.null(verdict)) text_of(model[["title"]]) else toupper(verdict[["state"]])
  brief <- unlist(lapply(sections, function(s) Filter(function(b) isTRUE(b[["brief"]]), s[["blocks"]])), FALSE)
  of_kind <- function(kind) Filter(function(b) identical(b[["kind"]], kind), brief)
  records <- unlist(lapply(of_kind("prose"), function(b) texts_of(b[["says"]])))
  head <- paste(c(state, if (length(records)) paste(records, collapse = " ")), collapse = ": ")
  lines <- wrapped(c(head, text_of(verdict[["sentence"]])), width, "")
  for (block in of_kind("figures")) lines <- c(lines, figure_lines(block[["items"]], width))
  for (reason in verdict[["reasons"]]) {
    lines <- c(lines, wrapped(upper(text_of(reason[["says"]])), width, "! ", "  "))
    remedies <- texts_of(reason[["remedies"]])
    if (length(remedies))
      lines <- c(lines, wrapped(upper(paste(remedies, collapse = ", or ")), width, "  -> ", "     "))
  }
  for (fit in c(goodFor = "Good for: ", notFor = "Not for:  ")) {
    key <- if (fit == "Good for: ") "goodFor" else "notFor"
    of <- texts_of(verdict[[key]])
    if (length(of)) lines <- c(lines, wrapped(paste(of, collapse = ", "), width, fit, strrep(" ", 10L)))
  }
  for (block in of_kind("list")) {
    lines <- c(lines, "Not protected:", wrapped(texts_of(block[["items"]]), width, "- ", "  "))
  }
  c(lines, wrapped(notes, width, "note: ", "      "))
}

figure_lines <- function(figures, width) {
  titles <- vapply(figures, function(f) text_of(f[["title"]]), "")
  left <- max(nchar(titles)) + 2L
  unlist(Map(function(title, f) {
    interval <- text_of(f[["interval"]])
    shown <- paste0(f[["shown"]], if (!is.null(interval)) paste0(" (", interval, ")"))
    shown <- paste(c(shown, text_of(f[["beside"]])), collapse = ", ")
    wrapped(shown, width, paste0("  ", format(title, width = left)), strrep(" ", left + 2L))
  }, titles, figures), use.names = FALSE)
}

wrapped <- function(texts, width, first, then = first) {
  unlist(lapply(texts, strwrap, width = width, initial = first, prefix = then))
}

# Tables of a result: its measures, or what was found, a row for each.
as.data.frame.dither_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows_of(made_of(x$document)[["measures"]])
}

as.data.frame.dither_inspection <- function(x, row.names = NULL, optional = FALSE, ...) rows_of(x$document[["roles"]])

as.data.frame.dither_comparison <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows_of(x$document[["summaries"]])
}

as.data.frame.dither_mined <- function(x, row.names = NULL, optional = FALSE, ...) {
  for (name in c("rules", "itemsets", "clusters"))
    if (is.list(found <- x$document[[name]])) return(rows_of(found))
  stop_usage("what was mined is no table: see $document")
}

as.data.frame.dither_verification <- function(x, row.names = NULL, optional = FALSE, ...) {
  rows_of(x$document[["checks"]])
}

as.data.frame.dither_tables <- function(x, row.names = NULL, optional = FALSE, ...) x$data

# Objects with the same keys as a data frame, with a column for each key whose values are single ones, or lists of
# texts.
rows_of <- function(objects) {
  keys <- unique(unlist(lapply(objects, names)))
  columns <- lapply(keys, function(key) {
    cells <- lapply(objects, function(o) simple(o[[key]]))
    if (all(vapply(cells, is.atomic, NA))) unlist(cells)
  })
  names(columns) <- keys
  structure(Filter(Negate(is.null), columns), row.names = .set_row_names(length(objects)), class = "data.frame")
}

simple <- function(cell) {
  if (is.null(cell)) return(NA)
  if (!is.list(cell)) return(cell)
  if (!is.null(names(cell))) return(if (is.null(cell[["text"]])) cell else cell[["text"]])
  texts <- lapply(cell, simple)
  if (all(vapply(texts, is.character, NA))) paste(unlist(texts), collapse = ", ") else cell
}

# Every limit and how it stands, and how many measures were taken.
summary.dither_result <- function(object, ...) {
  made <- made_of(object$document)
  structure(list(state = made[["verdict"]][["state"]], sentence = text_of(made[["verdict"]][["sentence"]]),
    limits = rows_of(lapply(made[["verdict"]][["demands"]], function(d) {
      list(limit = d[["title"]], value = d[["value"]], lo = d[["lo"]], hi = d[["hi"]], min = d[["min"]],
        max = d[["max"]], standing = d[["standing"]], against = d[["against"]])
    })),
    measures = length(made[["measures"]])), class = "summary.dither_result")
}

print.summary.dither_result <- function(x, digits = 3L, ...) {
  cat(wrapped(paste(c(toupper(x$state), x$sentence), collapse = ": "), getOption("width"), ""), sep = "\n")
  if (nrow(x$limits)) {
    cat("\n")
    print(x$limits, digits = digits, row.names = FALSE, right = FALSE)
  }
  cat(sprintf("\n%d measures: as.data.frame() has them.\n", x$measures))
  invisible(x)
}

summary.dither_inspection <- function(object, ...) as.data.frame(object)
summary.dither_comparison <- function(object, ...) as.data.frame(object)
summary.dither_mined <- function(object, ...) as.data.frame(object)
summary.dither_verification <- function(object, ...) as.data.frame(object)
