// Command found holds the measure found against what it claims, on four public data sets, and prints a page of
// Markdown:
//
//	go run -C tools ./experiments/found
//	go run -C tools ./experiments/found -trials 10
//	go run -C tools ./experiments/found -write ../docs
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures.
package main

import (
	"context"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "found", Times: "trials", Default: 200, Help: "samples of people for each bound " +
	"that is tried", Print: print}

func main() { program.Main() }

func print(ctx context.Context, p *rerun.Page, trials int) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	var results []result
	for _, s := range sets {
		for _, m := range techniques {
			r, err := hold(ctx, s, m, trials)
			if err != nil {
				return err
			}
			results = append(results, r)
		}
	}
	return page(p, results, trials)
}
