# Makes haven.sas7bdat: what testdata holds is what haven 2.5.1 of R 4.2.2 wrote.
library(haven)
x <- data.frame(
  id = c(1, 2, 3, 70000),
  wage = c(10.5, tagged_na("D"), NA, -12),
  day = as.Date(c("2024-02-29", NA, "1969-12-31", "2020-01-01")),
  seen = as.POSIXct(c("2024-02-29 12:00:01", NA, "1999-12-31 23:59:59", "2020-01-01 00:00:00"), tz = "UTC", format = "%Y-%m-%d %H:%M:%S"),
  name = c("Zoë", NA, "a longer name", "x"),
  grade = c("low", "high", "low", "")
)
attr(x$wage, "label") <- "what they earn"
write_sas(x, "haven.sas7bdat")
