test_that("every type comes back to the last bit", {
  data <- people(70)
  data$exact <- c(1 / 3, -0.1, 2^-1074, 1.7976931348623157e308, rep(c(NA, pi * 1e-5), 33))
  data$far <- .Date(c(-100000, 2932896, rep(NA, 68)))
  data$before <- .POSIXct(c(-1e9 - 0.25, rep(0.123456, 69)), "UTC")
  data$none <- NA
  data$ints <- c(NA, .Machine$integer.max, -.Machine$integer.max, rep(0L, 67))
  expect_identical(round_trip(data), data)
  expect_identical(round_trip(data[0L, ]), data[0L, ])
  expect_identical(round_trip(data[1L, ]), data[1L, ])
})

test_that("texts keep their encoding, and NA is not the empty text", {
  data <- data.frame(text = c("a", "", NA, "NA", "\u00e9\u6f22", " b\n\"c\",", "\\"))
  data$latin <- iconv(c("\u00e9", "b", "", NA, "x", "y", "z"), "UTF-8", "latin1")
  got <- round_trip(data)
  expect_identical(got$text, data$text)
  expect_identical(got$latin, enc2utf8(data$latin))
  data$text[1L] <- rawToChar(as.raw(c(0xe9, 0xff)))
  expect_error(round_trip(data), "\"text\" has text in an encoding", class = "dither_usage")
})

test_that("columns of several batches and wide tables come back", {
  data <- data.frame(k = seq_len(2^20 + 9), t = rep_len(c("a", "bc", NA), 2^20 + 9))
  expect_identical(round_trip(data), data)
  wide <- as.data.frame(matrix(seq_len(600) / 7, 2L))
  expect_identical(round_trip(wide), wide)
})

test_that("levels that no record has were declared, others tell of somebody", {
  x <- factor(c("a", "b", "rare"), c("rare", "b", "a"))
  expect_identical(levels(like_factor(factor(c("a", "b", "b")), x)), c("b", "a"))
  whole <- factor(c("a", "b"), c("c", "b", "a"), ordered = TRUE)
  expect_identical(like_factor(factor(c("b", "b")), whole), factor(c("b", "b"), c("c", "b", "a"), ordered = TRUE))
  expect_identical(levels(like_factor(factor(c("[a, b]", "b")), whole)), c("c", "b", "a", "[a, b]"))
  expect_identical(levels(round_trip(data.frame(x = addNA(factor(c("a", NA)))))$x), c("a", NA))
})

test_that("values that do not fit a type are not bent", {
  expect_identical(like_number(c(1, 2.5), 1L), c(1, 2.5))
  expect_identical(like_number(c(1, NA), 1L), c(1L, NA))
  expect_identical(like_number(c(1, 2^31), 1L), c(1, 2^31))
  ranges <- factor(c("[1, 5)", "[5, 9)"))
  expect_identical(like_number(ranges, 1), ranges)
  expect_identical(like_date(ranges, Sys.Date()), ranges)
})

test_that("the kind of the table comes back", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  data <- people(9)
  expect_identical(round_trip(tibble::as_tibble(data)), tibble::as_tibble(data))
  got <- round_trip(data.table::as.data.table(data))
  expect_s3_class(got, "data.table")
  expect_identical(data.table::set(data.table::copy(got), j = "age", value = 1L)$age, rep(1L, 9L))
  expect_identical(as.data.frame(got), data)
})

test_that("whole numbers of 64 bits come back", {
  x <- structure(c(1.5e-323, -0, 9.8813129168249309e-324), class = "integer64") # 3, NA and 2
  data <- as_frame(list(x = x))
  expect_identical(writeBin(unclass(round_trip(data)$x), raw()), writeBin(unclass(x), raw()))
})

test_that("labels and reasons for missing values come back", {
  skip_if_not_installed("haven")
  data <- data.frame(
    answer = haven::labelled_spss(c(1, 2, 0, NA, 2), c(yes = 1, no = 2, refused = 0), na_values = 0, label = "Asked"),
    twice = haven::labelled(c(1L, 2L, 3L, 1L, 2L), c(same = 1L, same = 2L, other = 3L)),
    age = haven::labelled(c(30, haven::tagged_na("a"), 41.5, haven::tagged_na("z"), NA),
      c("not asked" = haven::tagged_na("a"))),
    income = haven::labelled_spss(c(1000, 2500, -99, -98, 7), c(refused = -99), na_range = c(-99, -90)),
    word = haven::labelled(c("m", "f", NA, "x", "m"), c(male = "m", female = "f")))
  source <- source_of(list(data = data, flags = list(), name = "data"))
  names <- vapply(source$columns, function(column) column$name, "")
  expect_identical(names, c("answer", "twice", "age", "age_missing", "income", "income_missing", "word"))
  expect_identical(levels(source$columns[[1L]]$values), c("yes", "no", "refused"))
  expect_identical(levels(source$columns[[2L]]$values), c("same (1)", "same (2)", "other"))
  expect_identical(levels(source$columns[[4L]]$values), c("not asked", ".z"))
  got <- round_trip(data)
  expect_identical(got, data)
  expect_identical(haven::na_tag(got$age), haven::na_tag(data$age))
  expect_identical(levels(from_entries(factor("[yes, no]"), list(code = "1", text = "yes", value = 1), data$answer)),
    "[yes, no]")
})

test_that("what is no table of people is refused by name", {
  data <- data.frame(a = 1:2, b = I(list(1, 2)), c = c(1i, 2i))
  call <- function(...) source_of(list(data = data, flags = list(...), name = "data"))
  expect_error(call(), "\"b\" \\(AsIs\\), \"c\" \\(complex\\)", class = "dither_usage")
  expect_length(call(leave_out = c("b", "c"))$columns, 1L)
  names(data) <- c("a", "a", "c")
  expect_error(call(), "make.unique", class = "dither_usage")
  expect_error(source_of(list(data = 1:3)), "is integer, which is no table", class = "dither_usage")
})
