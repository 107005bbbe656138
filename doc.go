// Package dither releases tables about people so that nobody can be picked out while what can be mined from them stays,
// and says whether a release may go out. The command is cmd/dither; this package does the same for programs, for files
// and for tables in memory.
//
//	patients, err := dither.Open(ctx, dither.File("patients.csv"), &policy.Policy{Class: "readmitted"})
//	...
//	release, err := dither.Protect(ctx, patients)
//	...
//	sum, err := dither.Write(ctx, release, "release.csv")
//
// A policy is the request: what the columns are and how they are read, which technique with which parameters, whom the
// release is to withstand, and which limits it must keep. What it leaves out has the command's defaults. A policy file
// is read by policy.Parse in a program that imports policy/yaml; so are limits, quality models and intruders that a
// policy names by file.
//
// # What cannot be left out
//
// Every release has its records in random order, unless the policy has KeepOrder. Its noise is keyed by the table and
// the plan besides the seed, so that two releases by one seed are not to be solved for the original, and a value that a
// person has in several records is drawn once. Identifiers are left out. Techniques of the caller's own (Technique) go
// the same way.
//
// Every release is judged. Evidence that was not gathered, or could not be, is "not shown", and withholds the release
// as a broken limit does. A withheld release comes with an error of type *Withheld, which carries the verdict; Write
// refuses it. Write takes MEETS THE LIMITS and RELEASE WITH CARE, and a release that nobody judged only where the
// policy asks for limits none by name.
//
// Two releases of one table with fresh seeds can be averaged. A process that makes several says so in the notes of all
// of them.
//
// # What else there is
//
// Inspect shows what the columns hold and who stands alone. Evaluate measures any release beside its original; Attack
// plays the intruders; Judge asks only whether it may go out; Compare runs techniques over folds; Choose searches for
// the technique that loses least of what a release is for, and releases by it. Tabulate makes tables of counts and
// totals of a table, and judges them, alone or together with a release of its records.
//
// # Formats
//
// Text formats with a delimiter are always linked, plain or with gzip. Others register themselves when their packages
// are imported: format/parquet, format/xlsx, ..., all of them by format/all; tables of a database by database/postgres.
// The techniques and measures for tables of sets are in catalog/all, and so are those that draw records under
// differential privacy (mst, aim, privbayes), and the miners that measures are told to learn by.
//
// Calls are safe for concurrent use and end when their context ends. Errors name the file, the column or the parameter
// and hold no value of the data.
package dither

// The lists come first: the manual is written from the catalogue that they make.
//go:generate go -C catalog run ./gen
//go:generate go run -C tools ./manual
//go:generate go run -C tools ./notices
