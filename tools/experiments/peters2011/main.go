// Command peters2011 reruns the experiments of Peters 2011, chapter 4, and prints our figures beside the paper's:
//
//	go run -C tools ./experiments/peters2011
//	go run -C tools ./experiments/peters2011 -releases 1
//	go run -C tools ./experiments/peters2011 -write ../docs
//
// The last writes the page into a folder. The data sets are looked for in the folder that DITHER_DATA names and,
// failing that, in ../shared/data. Seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "peters2011", Times: "releases", Default: 5, Help: "releases of every setting, " +
	"each judged by five folds", Print: rerunning}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, releases int) error {
	var results []*result
	for _, s := range sets {
		t, err := s.load(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", s.file, err)
		}
		r, err := study(ctx, s, t, releases)
		if err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		results = append(results, r)
	}
	print(p, results, releases)
	return nil
}
