// Command hiding hides random sets of rules in public transactions and tables by every technique that hides patterns,
// and sets what they lose beside the least that any deletion loses, as a page of Markdown:
//
//	go run -C tools ./experiments/hiding
//	go run -C tools ./experiments/hiding -draws 2
//	go run -C tools ./experiments/hiding -write ../docs
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures, but for those of time.
package main

import (
	"context"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "hiding",
	Times:   "draws",
	Default: 10,
	Help:    "random sets of rules of each data set",
	Print:   print,
}

func main() { program.Main() }

func print(ctx context.Context, p *rerun.Page, draws int) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	for k := range sets {
		if err := sets[k].run(ctx, draws); err != nil {
			return err
		}
	}
	return page(p, sets, draws)
}
