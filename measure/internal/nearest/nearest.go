// Package nearest compares what is known of persons with released records: which are nearest, which agree, and whose
// they are.
//
// Distances. In the space of what an intruder knows (Space) every attribute in which the originals differ is an axis,
// and the squared distances on the axes add up (Domingo-Ferrer & Torra 2001). Numbers, and categories with an order by
// their position, are divided by sqrt(2) standard deviations of the original, so that two persons drawn at random are
// at a mean squared distance of 1 on the axis; categories without an order are at 0 when equal and at 1 when not, so
// they count as much when there are many of them. An attribute in which the originals are all equal tells nobody apart
// and is no axis.
//
// What is known less exactly than by its value, within an error, as a band or a group, is at distance 0 from every
// value that it leaves open, and at that of the nearer end from others.
//
// Missing values. A value that either record lacks is at the mean squared distance, 1: a suppressed value is no reason
// to take or to rule out a record.
//
// Distances of all released records from all persons are never taken: nearest records are found by an index (package
// neighbour), exactly. Ties are ties to the last bit, and what is said of links counts them by their chance.
//
// Departure: Domingo-Ferrer & Torra standardise either file by its own moments and leave numbers at a mean square of 2.
//
// Reference: J. Domingo-Ferrer and V. Torra, "A quantitative comparison of disclosure control methods for microdata",
// in: Confidentiality, Disclosure and Data Access, North-Holland 2001; the same, "Disclosure risk assessment in
// statistical microdata protection via advanced record linkage", Statistics and Computing 13, 2003.
package nearest
