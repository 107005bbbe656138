// Command mushroom times ROCK and QROCK on growing parts of the Mushroom data, as Dutta, Mahanta & Pujari 2005 did,
// prints our figures beside those that Islam 2007, Tables 6.1 and 6.2, quotes of them, and looks at the clusters:
//
//	go run -C tools ./experiments/mushroom
//	go run -C tools ./experiments/mushroom -runs 1
//	go run -C tools ./experiments/mushroom -write ../docs
//
// The last writes the page into a folder. The data set is looked for in the folder that DITHER_DATA names and, failing
// that, in ../shared/data. The seed is fixed, so every run finds the same clusters; times differ.
package main

import (
	"context"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "mushroom", Times: "runs", Default: 3, Help: "time every fit so often and take the " +
	"least", Print: rerunning}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, runs int) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	f, err := measure(ctx, t, thesis[0].sizes, runs)
	if err != nil {
		return err
	}
	print(p, f)
	return nil
}
