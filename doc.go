// Package dither is the root of a tool that perturbs tables about people so that nobody can be picked out while what can be
// mined from them stays. The library is in the packages below: table, protect, measure, mine, study and report. The command is
// cmd/dither.
package dither

// The lists come first: the manual is written from the catalogue that they make.
//go:generate go -C catalog run ./gen
//go:generate go run ./cmd/manual
//go:generate go run ./cmd/notices
