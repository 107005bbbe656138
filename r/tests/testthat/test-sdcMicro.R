# The class as sdcMicro declares it, as the package itself cannot be had everywhere.
slots <- c("origData", "keyVars", "pramVars", "numVars", "ghostVars", "weightVar", "hhId", "strataVar", "sensibleVar",
  "manipKeyVars", "manipPramVars", "manipNumVars", "manipGhostVars", "manipStrataVar", "originalRisk", "risk",
  "utility", "pram", "localSuppression", "options", "additionalResults", "set", "prev", "deletedVars")

saved <- function(data, ...) {
  where <- environment()
  methods::setClass("sdcMicroObj", slots = structure(rep(list("ANY"), length(slots)), names = slots), where = where)
  at <- function(name) match(name, names(data))
  object <- methods::new("sdcMicroObj", origData = data, keyVars = at(c("age", "sex")), numVars = at("income"),
    pramVars = at("size"), weightVar = at("w"), hhId = at("home"), sensibleVar = at("ill"), ...)
  path <- tempfile()
  on.exit(unlink(path))
  saveRDS(object, path)
  readRDS(path)
}

survey <- function() {
  data <- people(200)[c("age", "sex", "size", "ill")]
  data$income <- round(exp(7 + data$age %% 20 / 10))
  data$w <- rep(c(1.5, 2.5), 100)
  data$home <- rep(1:100, each = 2)
  data
}

test_that("roles move from an sdcMicroObj", {
  data <- survey()
  moved <- from_sdcMicro(saved(data, strataVar = match("size", names(data))))
  expect_identical(moved$data, data)
  expect_identical(moved$role, c(w = "weight", home = "household", age = "quasi-identifier", sex = "quasi-identifier",
    income = "quasi-identifier", size = "quasi-identifier", ill = "confidential"))
  expect_identical(moved$within, "size")
  expect_identical(moved$class, "ill")
  expect_error(from_sdcMicro(data), "not an object of class sdcMicroObj", class = "dither_usage")
})

test_that("the release of an sdcMicroObj has what was changed", {
  data <- survey()
  suppressed <- data[c("age", "sex")]
  suppressed$sex[1:5] <- NA
  obj <- saved(data, manipKeyVars = suppressed, manipNumVars = data["income"] + 1, deletedVars = "w")
  expect_identical(released_sdcMicro(obj), data.frame(suppressed, data[c("size", "ill")], income = data$income + 1,
    home = data$home))
})

test_that("a user of sdcMicro moves in one line", {
  need_program()
  obj <- saved(survey())
  made <- protect(obj, limits = "none", seed = seed)
  expect_setequal(names(made$data), setdiff(names(survey()), "home"))
  e <- tryCatch(judge(obj), dither_withheld = identity)
  expect_s3_class(e, "dither_withheld")
  expect_identical(e$verdict$state, "withheld")
  roles <- as.data.frame(inspect(obj, role = c(age = "other")))
  expect_identical(roles$roles[match(c("age", "w", "home"), roles$column)], c("other", "weight", "household"))
})
