# What can go wrong: every condition is a dither_error, and dither_withheld carries a verdict.

stop_dither <- function(..., class = character(), data = list()) {
  stop(structure(class = c(class, "dither_error", "error", "condition"),
    c(list(message = paste0(...), call = NULL), data)))
}

stop_usage <- function(...) stop_dither(..., class = "dither_usage")

# A release may not go out. The condition has the verdict, and the document with all that was measured, which is
# confidential.
stop_withheld <- function(document) {
  verdict <- verdict_of(document)
  message <- if (is.null(verdict)) document[["state"]] else paste(said(verdict), collapse = "\n")
  stop_dither(message, class = "dither_withheld", data = list(verdict = verdict, document = document))
}

# The verdict of a document; of a choice, that of what was chosen, or NULL where nothing was.
verdict_of <- function(document) made_of(document)[["verdict"]]

made_of <- function(document) if (is.null(document[["release"]])) document else document[["release"]]

# The verdict in words: its state, what intruders find, and the reasons with what to do.
said <- function(verdict) {
  first <- paste(c(verdict[["state"]], text_of(verdict[["sentence"]])), collapse = ": ")
  c(first, unlist(lapply(verdict[["reasons"]], function(r) {
    c(paste("-", text_of(r[["says"]])), paste(rep(" ", length(r[["remedies"]])), texts_of(r[["remedies"]])))
  })))
}

# The text of a sentence of a document, or of a text; NULL where there is none.
text_of <- function(x) {
  if (is.list(x)) x <- x[["text"]]
  if (length(x) && nzchar(x)) x
}

texts_of <- function(x) as.character(unlist(lapply(x, text_of)))
