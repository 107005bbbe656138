// Package judge gathers the evidence on a release and judges it: which measures are taken against which intruder, which
// columns identify people, who can be looked up, and which limits are met. It works on tables in memory and reads no
// files, so programs and the command get the same verdict for the same table.
package judge
