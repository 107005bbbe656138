// Package judge gathers the evidence on a release and judges it: which measures are taken against whom, which columns say who
// somebody is, who can be looked up, and which limits hold. It works on tables in memory and reads no files, so whatever calls it,
// a program or the command, gets the same verdict of the same table.
package judge
