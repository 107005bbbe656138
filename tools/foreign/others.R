path <- commandArgs(TRUE)[1]
quoted <- function(x) {
  x <- enc2utf8(x)
  out <- vapply(x, function(s) if (is.na(s)) "null" else encodeString(s, quote = '"'), "")
  gsub("\\\\([^\"\\\\nrtu])", "\\\\u00\\1", out)
}
array <- function(x) paste0("[", paste(x, collapse = ","), "]")
cells <- function(v) {
  if (inherits(v, "POSIXct")) v <- format(v + 5e-4, "%Y-%m-%dT%H:%M:%OS3", tz = "UTC")
  else if (inherits(v, "Date")) v <- format(v, "%Y-%m-%d")
  else if (inherits(v, "difftime")) v <- as.numeric(v, units = "secs")
  if (is.numeric(v)) v <- ifelse(is.na(v), NA, format(unclass(v), digits = 17, trim = TRUE, scientific = TRUE))
  v <- as.character(v)
  array(quoted(v))
}
options(digits.secs = 3)
say <- function(x) cat(x)
tryCatch({
  suppressMessages(library(haven))
  read <- switch(tolower(sub(".*[.]", "", path)), sav = , zsav = read_sav, dta = read_dta, sas7bdat = read_sas,
    xpt = read_xpt)
  t <- read(path)
  labels <- lapply(t, function(v) if (inherits(v, "haven_labelled")) array(quoted(as.character(as_factor(v)))) else "null")
  say(paste0('{"Names":', array(quoted(names(t))), ',"Cells":', array(vapply(t, function(v) cells(zap_labels(v)), "")),
    ',"Labels":', array(unlist(labels)), "}"))
}, error = function(e) say(paste0('{"Error":', quoted(substr(gsub("[\r\n]+", " ", conditionMessage(e)), 1, 200)), "}")))
