// Command islam2007 reruns the experiments of Islam 2007, section 7.3, and prints our figures beside the thesis's, as
// Markdown:
//
//	go run -C tools ./experiments/islam2007 wbc             Table 7.2: the four frameworks on WBC
//	go run -C tools ./experiments/islam2007 adult           Table 7.1: the same on Adult
//	go run -C tools ./experiments/islam2007 gadp            Table 7.3: GADP without ALPT on WBC
//	go run -C tools ./experiments/islam2007 correlations    what every way of drawing numbers does to correlations
//	go run -C tools ./experiments/islam2007 drift           what becomes of means where drawn values are forced into the domain
//	go run -C tools ./experiments/islam2007 all             the page docs/islam2007.md
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. The splits
// and seeds are fixed, so every run prints the same figures.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

// experiments in the order of the page.
var experiments = []struct {
	name  string
	print func(context.Context, io.Writer, figures) error
}{{"wbc", wbc}, {"adult", adult}, {"gadp", withoutALPT}, {"correlations", correlations}, {"drift", drift}}

func main() {
	rerun.Main("islam2007", func(ctx context.Context) error {
		var page bytes.Buffer
		known, err := printPage(ctx, &page, os.Args[1:])
		if !known {
			var names []string
			for _, e := range experiments {
				names = append(names, e.name)
			}
			rerun.Usage("islam2007 all|" + strings.Join(names, "|"))
		}
		if err == nil {
			_, err = os.Stdout.Write(page.Bytes())
		}
		return err
	})
}

// printPage writes the experiment that args name, or the page; known is false when they name none.
func printPage(ctx context.Context, w io.Writer, args []string) (known bool, err error) {
	if len(args) != 1 {
		return false, nil
	}
	all := args[0] == "all"
	var body bytes.Buffer
	g := figures{}
	for _, e := range experiments {
		if !all && e.name != args[0] {
			continue
		}
		if all {
			fmt.Fprintln(&body)
		}
		known = true
		if err := e.print(ctx, &body, g); err != nil {
			return true, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	if all {
		head, err := g.fill(text)
		if err != nil {
			return true, err
		}
		fmt.Fprint(w, head)
	}
	_, err = body.WriteTo(w)
	return known, err
}
