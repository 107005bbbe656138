# Rscript make.R writes a file of each release that haven knows.
library(haven)
d <- data.frame(
  id = c(1, 2, 3, 70000),
  sex = labelled(c(1, 2, tagged_na("a"), NA), c(male = 1, female = 2, refused = tagged_na("a")), label = "Sex of the person"),
  wage = labelled(c(10.5, tagged_na("r"), tagged_na("d"), -12), c("refused" = tagged_na("r"))),
  day = as.Date(c("2024-02-29", NA, "1969-12-31", "2020-01-01")),
  seen = as.POSIXct(c("2024-02-29 12:00:01", NA, "1999-12-31 23:59:59", "2020-01-01 00:00:00"), tz = "UTC"),
  name = c("Zoe", "", "a longer name", "x"),
  grade = factor(c("low", "high", "low", NA), levels = c("low", "middle", "high")),
  stringsAsFactors = FALSE)
for (v in c(8, 10, 12, 13, 14, 15)) write_dta(d, paste0("haven", v, ".dta"), version = v)
