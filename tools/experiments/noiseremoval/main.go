// Command noiseremoval measures what the attacks on additive noise leave of it, for independent and for correlated
// noise, and prints a page of Markdown:
//
//	go run -C tools ./experiments/noiseremoval
//	go run -C tools ./experiments/noiseremoval -runs 1
//	go run -C tools ./experiments/noiseremoval -write ../docs
//
// The last writes the page and its plot into a folder. The data sets are looked for in the folder that DITHER_DATA
// names and, failing that, in ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "noiseremoval",
	Times:   "runs",
	Default: 5,
	Help:    "releases of every setting",
	Print:   rerunning,
}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, runs int) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	var results []result
	for _, s := range sets {
		r, err := attack(ctx, s, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		results = append(results, r)
	}
	print(p, results, runs)
	p.Beside("noiseremoval.svg", plot(results))
	return nil
}
