// Command noiseremoval measures what the attacks on additive noise leave of it, for independent and for correlated noise, and prints a page
// of Markdown:
//
//	go run ./docs/noiseremoval
//	go run ./docs/noiseremoval -runs 1
//	go run ./docs/noiseremoval -write docs
//
// The last writes the page and its plot into a folder. The data sets are looked for in the folder that DITHER_DATA names and, failing that,
// in ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/docs/internal/rerun"
)

var program = rerun.Program{Name: "noiseremoval", Times: "runs", Default: 5, Help: "releases of every setting", Print: rerunning}

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
