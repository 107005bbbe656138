# Rscript make.R writes haven.sav and haven.zsav.
library(haven)
d <- data.frame(
  id = c(1, 2, 3, 1e6 + 0.5),
  sex = labelled_spss(c(1, 2, 9, NA), c(male = 1, female = 2, refused = 9), na_values = 9, label = "Sex"),
  wage = labelled_spss(c(10.5, -7, -8, 12), c("not asked" = -7), na_range = c(-9, -1)),
  day = as.Date(c("2024-02-29", NA, "1969-12-31", "2020-01-01")),
  seen = as.POSIXct(c("2024-02-29 12:00:01", NA, "1999-12-31 23:59:59", "2020-01-01 00:00:00"), tz = "UTC"),
  name = c("Zoë", "", "a longer name than eight", "x"),
  town = labelled(c("U", "B", "U", NA), c(Ulm = "U", Bonn = "B")),
  grade = factor(c("low", "high", "low", NA), levels = c("low", "middle", "high")),
  stringsAsFactors = FALSE)
write_sav(d, "haven.sav", compress = "byte")
write_sav(d, "haven.zsav", compress = "zsav")

# labels.sav: texts with labels, of which one has no record
x <- data.frame(n = 1:6)
x$s <- labelled(c("m", "f", "f", "m", "x", "m"), c(male = "m", female = "f", unused = "u"))
x$long <- labelled(c("aaaaaaaaaaaa", "b", "b", "b", "b", "b"), c(AAA = "aaaaaaaaaaaa", BBB = "b"))
write_sav(x, "labels.sav")
