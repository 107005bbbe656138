# What intruders find, before and after, beside what survives. Base graphics; nothing is drawn that was not measured.

plot.dither_release <- function(x, ...) plot_found(made_of(x$document), ...)
plot.dither_evaluation <- function(x, ...) plot_found(x$document, ...)

plot_found <- function(document, ...) {
  attacks <- Filter(function(a) identical(a[["secret"]], ""),
    c(document[["verdict"]][["worst"]], document[["attacks"]]))
  attacks <- attacks[!duplicated(vapply(attacks, function(a) a[["intruder"]], ""))]
  kept <- kept_of(document)
  if (!length(attacks) && !nrow(kept))
    stop_usage("nothing was measured that could be drawn: limits = \"none\" asks for little")
  panels <- c(if (length(attacks)) 1L, if (nrow(kept)) 2L)
  old <- graphics::par(mfrow = c(1L, length(panels)), mar = c(4.1, 1, 3.1, 1))
  on.exit(graphics::par(old))
  if (length(attacks)) draw_found(attacks)
  if (nrow(kept)) draw_kept(kept)
  invisible(document)
}

draw_found <- function(attacks) {
  n <- length(attacks)
  share <- function(name) vapply(attacks, function(a) if (is.null(a[[name]])) NA_real_ else as.numeric(a[[name]]), 0)
  y <- rev(seq_len(n))
  frame_of(n, "What an intruder finds")
  graphics::segments(share("lo"), y, share("hi"), y, lwd = 6, col = "#cf222e55")
  graphics::points(share("before"), y, pch = 1, cex = 1.4)
  graphics::points(share("share"), y, pch = 19, cex = 1.4, col = "#cf222e")
  name_rows(y, vapply(attacks, function(a) a[["intruder"]], ""))
  graphics::legend("bottom", c("original", "release"), pch = c(1, 19), col = c("black", "#cf222e"), horiz = TRUE,
    bty = "n")
}

draw_kept <- function(kept) {
  n <- nrow(kept)
  y <- rev(seq_len(n))
  frame_of(n, "What survives")
  graphics::rect(0, y - 0.12, kept$value, y + 0.12, col = "#1a7f37", border = NA)
  name_rows(y, paste0(kept$title, ": ", kept$shown))
}

frame_of <- function(n, title) {
  graphics::plot.default(NA, xlim = c(0, 1), ylim = c(0.2, n + 0.7), axes = FALSE, xlab = "", ylab = "", main = title)
  at <- c(0, 0.25, 0.5, 0.75, 1)
  graphics::axis(1, at, paste(100 * at, "%"))
  graphics::abline(v = at, col = "grey90")
}

# Devices in one byte know no arrows and no minus sign.
name_rows <- function(y, names) {
  for (sign in list(c("\u2192", "->"), c("\u2212", "-"), c("\u2026", "...")))
    names <- gsub(sign[1L], sign[2L], names, fixed = TRUE)
  graphics::text(0, y + 0.28, names, adj = c(0, 0.5), cex = 0.8, xpd = NA)
}

# Shares of what was kept, of which more is better: the figures on what the release is good for.
kept_of <- function(document) {
  better <- lapply(document[["measures"]], function(m) if (identical(m[["better"]], "higher")) m[["name"]])
  figures <- unlist(lapply(document[["document"]][["sections"]], function(s) {
    if (identical(s[["key"]], "fitness"))
      unlist(lapply(s[["blocks"]], function(b) if (identical(b[["kind"]], "figures")) b[["items"]]), FALSE)
  }), FALSE)
  figures <- Filter(function(f) f[["key"]] %in% better && is.numeric(f[["value"]]), figures)
  out <- data.frame(title = vapply(figures, function(f) text_of(f[["title"]]), ""),
    value = vapply(figures, function(f) f[["value"]] / if (f[["unitKind"]] == "percent") 100 else 1, 0),
    shown = vapply(figures, function(f) f[["shown"]], ""))
  out[out$value >= 0 & out$value <= 1, ]
}
