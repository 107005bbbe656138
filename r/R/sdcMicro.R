# From package sdcMicro, of which nothing is needed: an object is read by its slots.

from_sdcMicro <- function(obj) {
  if (!methods::is(obj, "sdcMicroObj")) stop_usage("obj is ", class(obj)[1L], ", not an object of class sdcMicroObj")
  data <- slot_of(obj, "origData")
  if (!is.data.frame(data)) stop_usage("obj holds no data: its slot origData is empty")
  named <- function(slot) names(data)[slot_of(obj, slot)]
  roles <- c(
    as_role(named("weightVar"), "weight"),
    as_role(named("hhId"), "household"),
    as_role(c(named("keyVars"), named("numVars"), named("pramVars"),
      names(data)[unlist(slot_of(obj, "ghostVars"))]), "quasi-identifier"),
    as_role(named("sensibleVar"), "confidential"))
  roles <- roles[!duplicated(names(roles))]
  words <- vapply(data[names(roles)], function(x) is.factor(x) || is.character(x) || is.logical(x), NA)
  class <- names(roles)[roles == "confidential" & words]
  strata <- named("strataVar")
  c(list(data = data, role = roles), if (length(class)) list(class = class[1L]),
    if (length(strata)) list(within = paste(strata, collapse = ",")))
}

slot_of <- function(obj, name) if (methods::.hasSlot(obj, name)) methods::slot(obj, name)

as_role <- function(columns, role) structure(rep(role, length(columns)), names = columns)

# The table that an object releases: the original with what was changed.
released_sdcMicro <- function(obj) {
  data <- slot_of(obj, "origData")
  for (slot in c("manipKeyVars", "manipPramVars", "manipNumVars", "manipGhostVars")) {
    changed <- slot_of(obj, slot)
    for (name in names(changed)) data[[name]] <- changed[[name]]
  }
  strata <- slot_of(obj, "manipStrataVar")
  if (!is.null(strata)) data[[slot_of(obj, "strataVar")]] <- strata
  data[setdiff(names(data), slot_of(obj, "deletedVars"))]
}

# Data, flags and the name of a table of a call; an object of sdcMicro brings flags along, which those of the call
# replace.
moved <- function(data, flags, name) {
  if (!methods::is(data, "sdcMicroObj")) return(list(data = data, flags = flags, name = name))
  from <- from_sdcMicro(data)
  brought <- from[setdiff(names(from), "data")]
  role <- c(flags[["role"]], brought[["role"]])
  flags <- Filter(Negate(is.null), flags)
  flags <- c(flags, brought[setdiff(names(brought), names(flags))])
  flags[["role"]] <- role[!duplicated(names(role)) & !names(role) %in% flags[["class"]]]
  list(data = from$data, flags = flags, name = name)
}
