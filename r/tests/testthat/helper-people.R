seed <- strrep("11", 32)

# The program, or a skipped test; under CI=true it must be there.
need_program <- function() {
  if (!nzchar(dither_path(required = FALSE)) && Sys.getenv("CI") == "true") stop("the program dither is not there")
  testthat::skip_if_not(nzchar(dither_path(required = FALSE)), "the program dither is not there")
}

# People of whom a table holds every type. Always the same, and the caller's random numbers are as they were.
people <- function(n = 400L) {
  k <- seq_len(n)
  pick <- function(of, a, b) of[1 + (k * a + k %/% b) %% length(of)]
  data.frame(
    age = 18L + (k * 37L) %% 71L,
    sex = factor(pick(c("f", "m"), 3, 7)),
    size = factor(pick(c("s", "m"), 5, 3), c("s", "m", "l"), ordered = TRUE),
    weight = 50 + (k * 7919) %% 613 / 10,
    visits = as.integer(pick(c(0, 1, 2, NA, 5), 2, 11)),
    smokes = pick(c(TRUE, FALSE, NA), 2, 5),
    day = as.Date("2024-01-01") + (k * 17) %% 700,
    seen = as.POSIXct("2024-01-01", tz = "Europe/Berlin") + 3600 * ((k * 29) %% 9000),
    stay = as.difftime((k * 13) %% 90, units = "hours"),
    town = pick(c("K\u00f6ln", "\u0141\u00f3d\u017a", "Rome"), 7, 13),
    ill = pick(c("yes", "no", "no"), 5, 17))
}

# What of a table comes out of a stream that went in.
round_trip <- function(data) {
  source <- source_of(list(data = data, flags = list(), name = "data"))
  path <- tempfile()
  on.exit(unlink(path))
  write_arrow(source$columns, source$rows, path)
  source$back(read_arrow(read_raw(path)))
}
