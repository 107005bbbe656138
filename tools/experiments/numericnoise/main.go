// Command numericnoise reruns chapter 5 of Islam 2007, noise in numeric attributes by LINNAPT, LINFAPT and RNAT on WBC,
// and prints what is found:
//
//	go run -C tools ./experiments/numericnoise
//	go run -C tools ./experiments/numericnoise -subsets 2
//	go run -C tools ./experiments/numericnoise -write ../docs
//
// The last writes the page into a folder. The data set is looked for in the folder that DITHER_DATA names and, failing
// that, in ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "numericnoise",
	Times:   "subsets",
	Default: 10,
	Help:    "training sets drawn",
	Print:   rerunning,
}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, subsets int) error {
	r, err := study(ctx, subsets)
	if err != nil {
		return err
	}
	print(p, r, subsets)
	return nil
}
