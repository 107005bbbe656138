// Command disclosure reruns table 8.1 of Islam 2007 and prints our figures beside the thesis's:
//
//	go run -C tools ./experiments/disclosure
//
// With an argument it also draws figures 8.1 and 8.2, and the table as curves, into that folder. The data set is looked
// for in the folder that DITHER_DATA names and, failing that, in ../shared/data. The split and the seeds are fixed, so
// every run prints the same figures.
package main

import (
	"context"
	"os"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

func main() {
	if len(os.Args) > 2 {
		rerun.Usage("disclosure [FOLDER]")
	}
	folder := ""
	if len(os.Args) == 2 {
		folder = os.Args[1]
	}
	rerun.Main("disclosure", func(ctx context.Context) error { return run(ctx, folder) })
}
