# Columns of package haven: codes with labels, and reasons why values are missing, which are tagged NAs (Stata, SAS) or
# declared codes (SPSS). They travel as the program reads them from files of these programs (its package codebook):
# where all values have labels, as categories in the order of the codes, those of missing values last; else as numbers,
# with the reasons in a column beside them, named with _missing.

wire_labelled <- function(x, name, taken) {
  if (is.character(x)) return(wire_words(x, name))
  labels <- labels_of(x)
  code <- code_of(x)
  missing <- is_reason(x)
  value <- !is.na(code) & !missing
  known <- code_of(labels)
  if (any(value) && all(code[value] %in% known)) {
    entries <- entries_of(code, x, missing, labels)
    values <- structure(match(code, entries$code), levels = entries$text, class = "factor")
    return(list(columns = list(list(name = name, type = "dictionary", values = values)),
      back = function(got) list(from_entries(got, entries, x))))
  }
  numbers <- as.vector(unclass(x))
  numbers[missing] <- NA
  columns <- list(list(name = name, type = if (is.integer(x)) "int32" else "double", values = numbers))
  entries <- entries_of(ifelse(missing, code, NA), x, missing, labels)
  if (length(entries$code)) {
    beside <- make.unique(c(taken, paste0(name, "_missing")), "_")[length(taken) + 1L]
    columns[[2L]] <- list(name = beside, type = "dictionary",
      values = structure(match(ifelse(missing, code, NA), entries$code), levels = entries$text, class = "factor"))
  }
  list(columns = columns, back = function(got, why = NULL) {
    if (!is.numeric(got) || is.object(got)) return(c(list(got), if (!is.null(why)) list(why)))
    if (is.integer(x)) got <- like_number(got, 1L)
    place <- match(as.character(why), entries$text)
    at <- which(is.na(got))
    at <- at[!is.na(place[at])]
    if (length(at)) got[at] <- entries$value[place[at]]
    list(declared_of(got, x))
  })
}

# Texts with labels: each is its label, and the text itself where it has none.
wire_words <- function(x, name) {
  labels <- attr(x, "labels", exact = TRUE)
  values <- as_utf8(x, name)
  known <- unique(values[!is.na(values)])
  texts <- unique_texts(ifelse(known %in% labels, names(labels)[match(known, labels)], known), known)
  list(columns = list(list(name = name, type = "utf8", values = texts[match(values, known)])),
    back = function(got) {
      got <- like_text(got)
      at <- match(got, texts)
      if (!is.character(got) || !all(is.na(got) | !is.na(at))) return(list(got))
      list(declared_of(known[at], x))
    })
}

labels_of <- function(x) {
  labels <- attr(x, "labels", exact = TRUE)
  if (is.null(labels)) structure(double(), names = character()) else labels
}

# Codes as text: 1, 2.5, .a for a tagged NA, and NA for a value that is missing without a reason.
code_of <- function(x) {
  out <- as.character(as.vector(unclass(x))) # whose is.na() would say of a declared code, too, that it is missing
  tag <- tag_of(x)
  ifelse(is.na(tag), out, paste0(".", tag))
}

is_reason <- function(x) {
  plain <- as.vector(unclass(x))
  range <- attr(x, "na_range", exact = TRUE)
  out <- !is.na(tag_of(x)) | plain %in% attr(x, "na_values", exact = TRUE) & !is.na(plain)
  if (length(range) == 2L) out <- out | !is.na(plain) & plain >= range[1L] & plain <= range[2L]
  out
}

# The codes that are in use, with the value and the text of each.
entries_of <- function(code, x, missing, labels) {
  at <- which(!duplicated(code) & !is.na(code))
  plain <- as.vector(unclass(x))
  at <- at[order(missing[at], is.na(plain[at]), plain[at], code[at])]
  code <- code[at]
  known <- match(code, code_of(labels))
  text <- ifelse(is.na(known), code, enc2utf8(names(labels))[known])
  list(code = code, value = plain[at], text = unique_texts(text, code))
}

unique_texts <- function(text, code) {
  twice <- text %in% text[duplicated(text)]
  make.unique(ifelse(twice, paste0(text, " (", code, ")"), text), "'")
}

from_entries <- function(got, entries, x) {
  text <- as.character(got)
  at <- match(text, entries$text)
  if (!all(is.na(text) | !is.na(at))) return(got)
  declared_of(entries$value[at], x)
}

declared_of <- function(values, x) {
  kept <- attributes(x)
  attributes(values) <- kept[names(kept) != "names"]
  values
}

# A tagged NA is one with a letter in its payload, at the fifth byte.
tag_of <- function(x) {
  out <- rep(NA_character_, length(x))
  if (!is.double(x)) return(out)
  plain <- as.vector(unclass(x))
  at <- which(is.na(plain) & !is.nan(plain))
  tag <- as.integer(matrix(writeBin(plain[at], raw(), endian = "little"), 8L)[5L, ])
  out[at[tag > 0L]] <- intToUtf8(tag[tag > 0L], multiple = TRUE)
  out
}

is_tagged <- function(x) is.double(x) && !is.object(x) && !all(is.na(tag_of(x)))
