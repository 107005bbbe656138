// Command fletcherislam2015 reruns the experiment of Fletcher & Islam 2015, section 7, and prints our figures beside the paper's text and
// Table 4:
//
//	go run ./docs/fletcherislam2015
//	go run ./docs/fletcherislam2015 -folds 3 -repeats 2
//	go run ./docs/fletcherislam2015 -sets wine,wbc -methods forestframework,framework,rt
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Folds and seeds are fixed, so
// every run prints the same figures.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/docs/internal/rerun"
	"github.com/dither-data/dither/study"
)

func main() {
	folds := flag.Int("folds", 10, "folds")
	repeats := flag.Int("repeats", 10, "perturbations of the training records of every fold")
	sets := flag.String("sets", "wine,wbc,credit,cmc,abalone", "data sets, with commas between")
	methods := flag.String("methods", "rt,framework,forestframework", "techniques, with commas between; the paper also has gadp")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	q := study.CompareRequest{Folds: *folds, Repeats: *repeats, Seed: sha256.Sum256([]byte("fletcher & islam 2015"))}
	rerun.Main("fletcherislam2015", func(ctx context.Context) error {
		return run(ctx, &q, strings.Split(*sets, ","), strings.Split(*methods, ","))
	})
}

// run reads the data, runs the comparison and prints it.
func run(ctx context.Context, q *study.CompareRequest, sets, methods []string) error {
	for _, name := range sets {
		d, err := load(ctx, name)
		if err != nil {
			return err
		}
		q.Data = append(q.Data, *d)
	}
	for _, name := range methods {
		m, err := catalog.Method(name)
		if err != nil {
			return err
		}
		s := study.Setting{Name: name, Method: m} // what the paper calls it
		if m.New().Params().Has("influential") {
			s.Set = map[string]string{"influential": "paper"} // values that a leaf tests move too, as printed
		}
		q.Settings = append(q.Settings, s)
	}
	for _, name := range []string{"accuracy", "eduds", "edusc", "sers"} {
		m, err := catalog.Measure(name)
		if err != nil {
			return err
		}
		spec := study.Spec{Measure: m, Set: map[string]string{}}
		if m.New().Params().Has("model") {
			spec.Set["model"] = "forest"
		}
		q.Measures = append(q.Measures, spec)
	}
	q.Progress = progress
	c, err := study.Compare(ctx, *q)
	if err != nil {
		return err
	}
	for _, cell := range c.Cells {
		for m, s := range cell.Scores {
			if cell.Err == "" {
				cell.Err = s.Err
			}
			if cell.Err != "" {
				return fmt.Errorf("%s, %s, %s: %s", c.Data[cell.Data].Name, c.Settings[cell.Setting].Name, c.Measures[m].Label, cell.Err)
			}
		}
		if cell.Err != "" {
			return fmt.Errorf("%s, %s: %s", c.Data[cell.Data].Name, c.Settings[cell.Setting].Name, cell.Err)
		}
	}
	show(c)
	return nil
}

// progress counts on a terminal's standard error.
func progress(done, total int) {
	if st, err := os.Stderr.Stat(); err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return
	}
	fmt.Fprintf(os.Stderr, "\r%d of %d runs", done, total)
	if done == total {
		fmt.Fprint(os.Stderr, "\r\033[K")
	}
}
