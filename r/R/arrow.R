# Tables travel to the program and back as Arrow streams (columnar format 1.5, metadata V5), which keep numbers to the
# last bit, tell NA from "", and know categories with their order, days, instants and truth values. A stream is written
# and read here with what R brings: only types that a data frame has are written; read are those that the program
# writes, whose streams are not packed.
#
# A column is list(name, type, values): values are logical ("bool"), integer ("int32"), double ("double"), bit64's
# integer64 ("int64"), character ("utf8"), factor ("dictionary"), Date ("date") or POSIXct ("timestamp").

arrow_version <- 4L # V5, counted from V1 as 0
arrow_marker <- as.raw(c(255, 255, 255, 255))
arrow_rows <- 2^20 # of a batch

arrow_types <- list( # number of the type in a schema, and what is said of it
  bool = list(6L, function(x) flat_table()),
  int32 = list(2L, function(x) flat_table(flat_scalar(32L, 4L), flat_scalar(1L, 1L))),
  int64 = list(2L, function(x) flat_table(flat_scalar(64L, 4L), flat_scalar(1L, 1L))),
  double = list(3L, function(x) flat_table(flat_scalar(2L, 2L))),
  utf8 = list(5L, function(x) flat_table()),
  dictionary = list(5L, function(x) flat_table()),
  date = list(8L, function(x) flat_table(flat_scalar(0L, 2L))),
  timestamp = list(10L, function(x) flat_table(flat_scalar(2L, 2L), flat_text("UTC")))) # microseconds

# Writes columns of so many rows into a file that its owner alone can read.
write_arrow <- function(columns, rows, path) {
  con <- private_file(path)
  on.exit(close(con))
  coded <- function(k) columns[[k]]$type == "dictionary"
  fields <- lapply(seq_along(columns), function(k) {
    column <- columns[[k]]
    type <- arrow_types[[column$type]]
    dictionary <- if (coded(k)) {
      index <- flat_table(flat_scalar(32L, 4L), flat_scalar(1L, 1L))
      flat_table(flat_scalar(k, 8L), index, flat_scalar(as.integer(is.ordered(column$values)), 1L))
    }
    flat_table(flat_text(column$name), flat_scalar(1L, 1L), flat_scalar(type[[1L]], 1L), type[[2L]](column$values),
      dictionary, flat_list(list()))
  })
  arrow_message(con, 1L, flat_table(NULL, flat_list(fields)), list())
  for (k in Filter(coded, seq_along(columns))) {
    labels <- levels(columns[[k]]$values)
    batch <- arrow_batch(list(arrow_pack(labels, "utf8")), length(labels))
    arrow_message(con, 2L, flat_table(flat_scalar(k, 8L), batch$head), batch$body)
  }
  for (before in (seq_len(max(1, ceiling(rows / arrow_rows))) - 1) * arrow_rows) {
    at <- before + seq_len(min(rows - before, arrow_rows))
    batch <- arrow_batch(lapply(columns, function(column) arrow_pack(column$values[at], column$type)), length(at))
    arrow_message(con, 3L, batch$head, batch$body)
  }
  writeBin(c(arrow_marker, raw(4)), con)
}

arrow_message <- function(con, kind, head, body) {
  size <- sum(vapply(body, length, 0)) # which are filled up to multiples of eight
  meta <- flatten(flat_table(flat_scalar(arrow_version, 2L), flat_scalar(kind, 1L), head, flat_scalar(size, 8L)))
  writeBin(c(arrow_marker, int_bytes(length(meta), 4L), meta), con)
  for (buffer in body) writeBin(buffer, con)
}

arrow_batch <- function(packed, rows) {
  lengths <- rbind(rows, vapply(packed, function(p) p$nulls, 0))
  body <- do.call(c, lapply(packed, function(p) p$buffers))
  sizes <- vapply(body, length, 0)
  body <- lapply(body, padded)
  ends <- cumsum(vapply(body, length, 0))
  places <- rbind(c(0, ends)[seq_along(sizes)], sizes)
  list(head = flat_table(flat_scalar(rows, 8L), flat_structs(lengths, 2L), flat_structs(places, 2L)), body = body)
}

arrow_bits <- function(x) packBits(c(x, logical(-length(x) %% 8)))

arrow_pack <- function(values, type) {
  if (type %in% c("double", "date", "timestamp", "int64")) values <- unclass(values)
  missing <- switch(type, # integer64 holds its numbers in the bits of doubles
    int64 = values == 0 & 1 / values < 0, date = , timestamp = !is.finite(values), is.na(values))
  missing[is.na(missing)] <- FALSE
  data <- switch(type,
    bool = list(arrow_bits(values & !missing)),
    int32 = list(writeBin(as.integer(values), raw(), endian = "little")),
    dictionary = list(writeBin(as.integer(values) - 1L, raw(), endian = "little")),
    double = , int64 = list(writeBin(as.double(values), raw(), endian = "little")),
    date = list(writeBin(as.integer(floor(replace(values, missing, 0))), raw(), endian = "little")),
    timestamp = list(int_bytes(round(replace(values, missing, 0) * 1e6), 8L)),
    utf8 = {
      values[missing] <- ""
      ends <- cumsum(c(0, nchar(values, "bytes")))
      list(writeBin(as.integer(ends), raw(), endian = "little"), charToRaw(paste(values, collapse = "")))
    })
  list(nulls = sum(missing), buffers = c(list(if (any(missing)) arrow_bits(!missing) else raw()), data))
}

# Reads a stream into a list of vectors, by name.
read_arrow <- function(data) {
  at <- 0
  columns <- list()
  labels <- list()
  parts <- list()
  while (length(data) >= at + 8) {
    size <- flat_int(data, at + 4)
    if (size == 0) break
    message <- flat_root(slice(data, at + 8, size))
    body <- at + 8 + size
    head <- flat_sub(message, 2L)
    switch(flat_get(message, 1L, 1L),
      columns <- lapply(flat_subs(head, 1L), arrow_field),
      {
        id <- as.character(flat_get(head, 0L, 8L))
        entry <- Find(function(column) identical(column$id, id), columns)
        entry$id <- NULL
        labels[[id]] <- c(labels[[id]], arrow_columns(flat_sub(head, 1L), data, body, list(entry))[[1L]])
      },
      parts[[length(parts) + 1L]] <- arrow_columns(head, data, body, columns))
    at <- body + flat_get(message, 3L, 8L)
  }
  out <- lapply(seq_along(columns), function(k) {
    values <- do.call(c, lapply(parts, function(p) p[[k]]))
    if (is.null(values)) values <- arrow_none(columns[[k]])
    arrow_finish(values, columns[[k]], labels)
  })
  names(out) <- vapply(columns, function(column) column$name, "")
  out
}

arrow_units <- c(1, 1e3, 1e6, 1e9) # of a second

arrow_field <- function(field) {
  about <- flat_sub(field, 3L)
  dictionary <- flat_sub(field, 4L)
  number <- flat_get(field, 2L, 1L)
  column <- list(name = flat_string(field, 0L), bits = 0, signed = TRUE, unit = 1)
  unit <- function(absent) arrow_units[flat_get(about, 0L, 2L, absent) + 1L]
  column$kind <- switch(as.character(number),
    "1" = "null", "3" = "real", "4" = , "5" = "text", "6" = "bool", "19" = , "20" = "long text",
    "2" = "whole", "7" = "decimal", "8" = "day", "9" = "time", "10" = "instant", "18" = "span",
    stop_dither("column \"", column$name, "\" comes back in a type that R does not read"))
  switch(column$kind,
    whole = {
      column$bits <- flat_get(about, 0L, 4L)
      column$signed <- flat_get(about, 1L, 1L) != 0
    },
    decimal = {
      column$bits <- flat_get(about, 2L, 4L, 128)
      column$unit <- 10^flat_get(about, 1L, 4L)
    },
    real = column$bits <- c(16, 32, 64)[flat_get(about, 0L, 2L) + 1L],
    day = {
      column$bits <- if (flat_get(about, 0L, 2L, 1) == 0) 32 else 64
      column$unit <- if (column$bits == 32) 1 else 86400e3
    },
    time = {
      column$bits <- flat_get(about, 1L, 4L, 32)
      column$unit <- unit(1)
    },
    instant = column$unit <- unit(0),
    span = column$unit <- unit(1))
  if (column$kind %in% c("instant", "span")) column$bits <- 64
  if (!is.null(dictionary)) {
    index <- flat_sub(dictionary, 1L)
    column$id <- as.character(flat_get(dictionary, 0L, 8L))
    column$index <- list(bits = flat_get(index, 0L, 4L, 32), signed = is.null(index) || flat_get(index, 1L, 1L) != 0)
    column$ordered <- flat_get(dictionary, 2L, 1L) != 0
  }
  column
}

# The values of columns of a batch, before their units and labels.
arrow_columns <- function(batch, data, body, columns) {
  if (!is.null(flat_sub(batch, 3L))) stop_dither("the program packs its streams: install the one of this version")
  rows <- flat_get(batch, 0L, 8L)
  nulls <- flat_longs(batch, 1L, 2L)[2L, ]
  places <- flat_longs(batch, 2L, 2L)
  used <- 0L
  buffer <- function() {
    used <<- used + 1L
    slice(data, body + places[1L, used], places[2L, used])
  }
  lapply(seq_along(columns), function(k) {
    column <- columns[[k]]
    if (column$kind == "null" && is.null(column$id)) return(rep(NA, rows))
    there <- buffer()
    values <- if (!is.null(column$id)) arrow_whole(buffer(), rows, column$index$bits, column$index$signed)
    else switch(column$kind,
      bool = as.logical(rawToBits(buffer()))[seq_len(rows)],
      text = arrow_texts(readBin(buffer(), "integer", rows + 1, endian = "little"), buffer()),
      "long text" = arrow_texts(flat_long(buffer(), 0, rows + 1), buffer()),
      real = arrow_real(buffer(), rows, column$bits),
      decimal = arrow_decimal(buffer(), rows, column$bits),
      arrow_whole(buffer(), rows, column$bits, column$signed))
    if (nulls[k] > 0) values[!as.logical(rawToBits(there))[seq_len(rows)]] <- NA
    values
  })
}

# The values of a column without records.
arrow_none <- function(column) {
  if (!is.null(column$id)) return(integer())
  switch(column$kind, text = , "long text" = character(), bool = , null = logical(), whole = integer(), double())
}

arrow_texts <- function(ends, data) {
  if (length(ends) < 2L) return(character())
  utf8(readChar(data, diff(ends), useBytes = TRUE))
}

arrow_whole <- function(data, rows, bits, signed) {
  if (bits == 64) return(if (rows) flat_long(data, 0, rows) else 0[0])
  out <- readBin(data, "integer", rows, size = bits / 8, signed = signed || bits == 32, endian = "little")
  if (bits == 32 && (!signed || anyNA(out))) {
    out[is.na(out)] <- -2^31
    if (!signed) out <- out %% 2^32
  }
  out
}

arrow_real <- function(data, rows, bits) {
  if (bits == 16) stop_dither("numbers of 16 bits come back, which R does not read")
  out <- readBin(data, "double", rows, size = bits / 8, endian = "little")
  if (bits == 32) as.numeric(sprintf("%.7g", out)) else out # the decimal number that was meant
}

arrow_decimal <- function(data, rows, bits) {
  words <- matrix(arrow_whole(data, rows * bits / 32, 32, FALSE), bits / 32)
  sign <- words[bits / 32, ] >= 2^31
  out <- colSums(abs(words - rep(sign * (2^32 - 1), each = bits / 32)) * 2^(32 * (seq_len(bits / 32) - 1)))
  ifelse(sign, -(out + 1), out)
}

arrow_finish <- function(values, column, labels) {
  if (!is.null(column$id)) {
    entries <- arrow_finish(labels[[column$id]], column[c("name", "kind", "unit")], list())
    entries <- if (is.null(entries)) character() else as.character(entries)
    return(structure(as.integer(values) + 1L, levels = entries,
      class = c(if (column$ordered) "ordered", "factor")))
  }
  switch(column$kind,
    decimal = values / column$unit,
    day = structure(as.numeric(values) / column$unit, class = "Date"),
    instant = structure(values / column$unit, class = c("POSIXct", "POSIXt"), tzone = "UTC"),
    time = , span = structure(values / column$unit, class = "difftime", units = "secs"),
    values)
}
