# The metadata of Arrow messages are FlatBuffers: tables that point to each other by offsets. A table that is written is
# a list of its fields by number, NULL for one that is left out. Everything below a table lies behind it, each piece at
# a multiple of eight bytes, so a piece can be put anywhere.

flat_scalar <- function(value, size) list(kind = "scalar", bytes = int_bytes(value, size), size = size)
flat_text <- function(value) list(kind = "text", bytes = charToRaw(enc2utf8(value)))
flat_table <- function(...) list(kind = "table", fields = list(...))
flat_list <- function(tables) list(kind = "list", tables = tables)
flat_structs <- function(numbers, of) list(kind = "structs", numbers = numbers, of = of)

# The bytes of whole numbers of so many bytes each, the least significant one first.
int_bytes <- function(x, size) {
  if (size <= 4L) return(writeBin(as.integer(x), raw(), size = size, endian = "little"))
  x <- as.numeric(x)
  high <- floor(x / 2^32)
  low <- x - high * 2^32
  words <- rbind(ifelse(low >= 2^31, low - 2^32, low), high)
  # -2^31 has the bits of NA, which as.integer() warns of
  writeBin(suppressWarnings(as.integer(words)), raw(), endian = "little")
}

padded <- function(bytes, to = 8L) c(bytes, raw(-length(bytes) %% to))

# The bytes of a piece, and where in it a pointer to it points.
flat_piece <- function(x) {
  switch(x$kind,
    text = list(bytes = c(int_bytes(length(x$bytes), 4L), x$bytes, raw(1)), at = 0),
    structs = list( # the numbers begin at a multiple of eight
      bytes = c(raw(4), int_bytes(length(x$numbers) / x$of, 4L), int_bytes(x$numbers, 8L)), at = 4),
    list = flat_join(int_bytes(length(x$tables), 4L), 4 * seq_along(x$tables), x$tables, 0),
    table = flat_fields(x$fields))
}

# Bytes with pointers at some places, and what these point to behind them.
flat_join <- function(head, places, pieces, at) {
  out <- c(head, raw(max(0, places + 4 - length(head))))
  for (k in seq_along(pieces)) {
    out <- padded(out)
    piece <- flat_piece(pieces[[k]])
    out[places[k] + 1:4] <- int_bytes(length(out) + piece$at - places[k], 4L)
    out <- c(out, piece$bytes)
  }
  list(bytes = out, at = at)
}

flat_fields <- function(fields) {
  sizes <- vapply(fields, function(f) if (is.null(f)) 0L else if (f$kind == "scalar") f$size else 4L, 0L)
  places <- integer(length(fields))
  size <- 4L
  for (k in which(sizes > 0L)) {
    size <- size + -size %% sizes[k]
    places[k] <- size
    size <- size + sizes[k]
  }
  vtable <- padded(int_bytes(c(4L + 2L * length(fields), size, places), 2L))
  at <- length(vtable)
  out <- c(vtable, int_bytes(at, 4L), raw(size - 4L))
  pointed <- list()
  for (k in which(sizes > 0L)) {
    if (fields[[k]]$kind == "scalar") out[at + places[k] + seq_len(sizes[k])] <- fields[[k]]$bytes
    else pointed[[as.character(at + places[k])]] <- fields[[k]]
  }
  flat_join(out, as.numeric(names(pointed)), pointed, at)
}

flatten <- function(table) {
  piece <- flat_piece(table)
  padded(c(int_bytes(8 + piece$at, 4L), raw(4), piece$bytes))
}

# A table that is read is its bytes and the place where it begins; NULL is one that is left out.

flat_int <- function(data, at, size = 4L, signed = TRUE)
  readBin(slice(data, at, size), "integer", 1L, size = size, signed = signed || size == 4L, endian = "little")

flat_long <- function(data, at, n = 1L) {
  words <- matrix(readBin(slice(data, at, 8 * n), "integer", 2 * n, endian = "little"), 2L)
  words[is.na(words)] <- -2^31
  (words[1L, ] %% 2^32) + words[2L, ] * 2^32
}

flat_root <- function(data) list(data = data, at = flat_int(data, 0))

flat_slot <- function(table, field) {
  if (is.null(table)) return(NULL)
  vtable <- table$at - flat_int(table$data, table$at)
  if (4L + 2L * field + 2L > flat_int(table$data, vtable, 2L, FALSE)) return(NULL)
  offset <- flat_int(table$data, vtable + 4L + 2L * field, 2L, FALSE)
  if (offset == 0L) NULL else table$at + offset
}

flat_get <- function(table, field, size, absent = 0) {
  at <- flat_slot(table, field)
  if (is.null(at)) absent else if (size == 8L) flat_long(table$data, at) else flat_int(table$data, at, size)
}

flat_sub <- function(table, field) {
  at <- flat_slot(table, field)
  if (is.null(at)) NULL else list(data = table$data, at = at + flat_int(table$data, at))
}

flat_string <- function(table, field) {
  sub <- flat_sub(table, field)
  if (is.null(sub)) return("")
  utf8(rawToChar(slice(sub$data, sub$at + 4L, flat_int(sub$data, sub$at))))
}

flat_subs <- function(table, field) {
  sub <- flat_sub(table, field)
  if (is.null(sub)) return(list())
  places <- sub$at + 4L * seq_len(flat_int(sub$data, sub$at))
  lapply(places, function(at) list(data = sub$data, at = at + flat_int(sub$data, at)))
}

# Structures of so many whole numbers of eight bytes, one in each column.
flat_longs <- function(table, field, of) {
  sub <- flat_sub(table, field)
  n <- if (is.null(sub)) 0L else flat_int(sub$data, sub$at)
  matrix(if (n) flat_long(sub$data, sub$at + 4L, n * of) else 0[0], of)
}

utf8 <- function(x) {
  Encoding(x) <- "UTF-8"
  x
}

# So many bytes behind the first at.
slice <- function(data, at, n) if (n > 0) data[(at + 1):(at + n)] else raw()
