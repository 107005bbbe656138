// Command valueclusters compares DETECTIVE with CACTUS on Customer Status tables, as Islam 2007, section 6.6.1, does,
// and prints a page of Markdown:
//
//	go run -C tools ./experiments/valueclusters
//	go run -C tools ./experiments/valueclusters -tables 10
//	go run -C tools ./experiments/valueclusters -write ../docs
//
// The last writes the page into a folder. The thesis has one table of 399 records; the page has many, drawn with fixed
// seeds, so every run prints the same figures.
package main

import (
	"context"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{
	Name:    "valueclusters",
	Times:   "tables",
	Default: 100,
	Help:    "tables of 399 records",
	Print:   rerunning,
}

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, tables int) error {
	found, err := compare(ctx, tables)
	if err != nil {
		return err
	}
	print(p, found)
	return nil
}
