// Command leaks plants known leaks in releases of public tables and of a made-up hospital file, lets dither judge every
// release, and prints a page of Markdown: which figure notices each leak, and what the verdict is:
//
//	go run -C tools ./experiments/leaks
//	go run -C tools ./experiments/leaks -runs 5
//	go run -C tools ./experiments/leaks -write ../docs
//
// The last writes the page into a folder. A release starts from the values of every column in a random order, so
// nothing but the leak tells who is who; each table is also judged without a leak, which shows that the verdict does
// not withhold everything. Leaks are drawn with fixed seeds, so every run of the program prints the same figures.
package main

import (
	"context"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "leaks", Times: "runs", Default: 1, Help: "how often each leak is planted, each " +
	"time in other records", Print: rerunning}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, runs int) error {
	var found []finding
	for _, l := range leaks() {
		for run := range runs {
			f, err := judge(ctx, &l, run)
			if err != nil {
				return err
			}
			found = append(found, *f)
		}
	}
	print(p, found, runs)
	return nil
}
