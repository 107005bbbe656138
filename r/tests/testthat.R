library(testthat)
library(dither)

test_check("dither")
