// Command samedoubt compares the Framework, whose releases are mined as they are, with noise of a public law, from
// whose releases the original is reconstructed, where both leave an intruder in the same doubt. It prints a page of
// Markdown:
//
//	go run -C tools ./experiments/samedoubt
//	go run -C tools ./experiments/samedoubt -draws 1
//	go run -C tools ./experiments/samedoubt -write ../docs
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "samedoubt", Times: "draws", Default: 3, Help: "divisions of each table, and " +
	"releases", Print: print}

func main() { program.Main() }

//go:embed text.md
var text string

func print(ctx context.Context, p *rerun.Page, draws int) error {
	var b strings.Builder
	for _, d := range data {
		t, err := d.read(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "## %s, %d records, %d numbers, class %s\n\n", d.name, t.Rows(), t.Width()-1, d.class)
		for _, spread := range spreads {
			rows, err := compare(ctx, t, spread, draws)
			if err != nil {
				return fmt.Errorf("%s, spread %v: %w", d.name, spread, err)
			}
			fmt.Fprintf(
				&b,
				"Noise of the Framework with a standard deviation of %v %% of the sub-domain:\n\n%s\n",
				spread,
				lines(rows),
			)
		}
	}
	_, err := strings.NewReplacer(
		"{{draws}}",
		fmt.Sprint(draws),
		"{{tables}}",
		strings.TrimSpace(b.String()),
	).WriteString(
		p,
		text,
	)
	return err
}

// lines writes the means of the draws.
func lines(rows []row) string {
	var b strings.Builder
	b.WriteString("| release | doubt, bits | privacy | tree at face value | tree by the law | naive Bayes by the law | " +
		"rules kept | change of correlations | the same, by the law |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.name)
		for k, v := range r.figures {
			if v != v {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(&b, formats[k], v)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// formats are those of the figures of a row.
var formats = [figures]string{
	" %.2f |",
	" %.0f %% |",
	" %.1f %% |",
	" %.1f %% |",
	" %.1f %% |",
	" %.0f %% |",
	" %.3f |",
	" %.3f |",
}
