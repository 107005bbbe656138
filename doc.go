// Package dither is the root of a tool that perturbs tables about people so that nobody can be picked out while what can be
// mined from them stays. The library is in the packages below: table, protect, measure, mine, study and report. The command is
// cmd/dither.
package dither

//go:generate go run ./cmd/manual
