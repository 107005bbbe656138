// Command fletcherislam2015 reruns the experiment of Fletcher & Islam 2015, section 7, and prints our figures beside
// the paper's text and Table 4:
//
//	go run -C tools ./experiments/fletcherislam2015
//	go run -C tools ./experiments/fletcherislam2015 -folds 3 -repeats 2
//	go run -C tools ./experiments/fletcherislam2015 -sets wine,wbc -methods forestframework,framework,gadp -levels=false
//	go run -C tools ./experiments/fletcherislam2015 -write ../docs
//
// The last writes the page into a folder. The data sets are looked for in the folder that DITHER_DATA names and,
// failing that, in ../shared/data. Folds and seeds are fixed, so every run prints the same figures.
package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var text string

var program = rerun.Program{Name: "fletcherislam2015", Times: "repeats", Default: 10,
	Help: "perturbations of the training records of every fold", Print: rerunning}

var (
	folds   = flag.Int("folds", 10, "folds")
	sets    = flag.String("sets", "wine,wbc,credit,cmc,abalone", "data sets, with commas between")
	methods = flag.String("methods", "rt,framework,forestframework,gadp,"+gadpOfClass, "techniques, with commas between")
	levels  = flag.Bool("levels", true, "print what the amount of noise does, too")
)

// gadpOfClass is GADP that knows the class as one of the attributes whose relation with the numbers is kept.
const gadpOfClass = "gadpclass"

func main() { program.Main() }

func rerunning(ctx context.Context, p *rerun.Page, repeats int) error {
	var data []study.DataSet
	for _, name := range strings.Split(*sets, ",") {
		d, err := load(ctx, name)
		if err != nil {
			return err
		}
		data = append(data, *d)
	}
	c, err := techniques(ctx, data, repeats)
	if err != nil {
		return err
	}
	fmt.Fprint(p, text)
	printFound(p, c)
	show(p, c)
	if !*levels {
		return nil
	}
	in, over, err := noise(ctx, data, repeats)
	if err != nil {
		return err
	}
	printNoise(p, in, over)
	return nil
}

// request returns the protocol of the paper for so many repeats.
func request(data []study.DataSet, repeats int, label string) study.CompareRequest {
	return study.CompareRequest{
		Data:     data,
		Folds:    *folds,
		Repeats:  repeats,
		Seed:     rng.SeedOf(sha256.Sum256([]byte(label))),
		Progress: progress,
	}
}

// techniques compares the techniques by the paper's four criteria.
func techniques(ctx context.Context, data []study.DataSet, repeats int) (*study.Comparison, error) {
	q := request(slices.Clone(data), repeats, "fletcher & islam 2015")
	names := strings.Split(*methods, ",")
	if slices.Contains(names, gadpOfClass) {
		for k := range q.Data {
			d := &q.Data[k]
			d.Set = maps.Clone(d.Set)
			d.Set["given"] = d.Table.Attr(d.Table.WithRole(table.Class)).Name
		}
	}
	for _, name := range names {
		s, err := settingOf(name)
		if err != nil {
			return nil, err
		}
		q.Settings = append(q.Settings, *s)
	}
	return compare(ctx, q, "accuracy", "eduds", "edusc", "sers")
}

// settingOf returns the technique of a name, as the paper has it.
func settingOf(name string) (*study.Setting, error) {
	s := &study.Setting{Name: name}
	method := name
	switch name {
	case gadpOfClass: // the class is what the data set says is given
		method = "gadp"
	case "gadp":
		s.Set = map[string]string{"given": ""}
	}
	m, err := catalog.Method(method)
	if err != nil {
		return nil, err
	}
	if s.Method = m; m.New().Params().Has("influential") {
		s.Set = map[string]string{"influential": "paper"} // values that a leaf tests move too, as printed
	}
	return s, nil
}

// compare runs the request with the measures, all of forests; it fails when a cell does.
func compare(ctx context.Context, q study.CompareRequest, measures ...string) (*study.Comparison, error) {
	for _, name := range measures {
		m, err := catalog.Measure(name)
		if err != nil {
			return nil, err
		}
		spec := study.Spec{Measure: m, Set: map[string]string{}}
		if m.New().Params().Has("model") {
			spec.Set["model"] = "forest"
		}
		q.Measures = append(q.Measures, spec)
	}
	c, err := study.Compare(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, cell := range c.Cells {
		for m, s := range cell.Scores {
			if cell.Err == "" {
				cell.Err = s.Err.String()
			}
			if cell.Err != "" {
				return nil, fmt.Errorf(
					"%s, %s, %s: %s",
					c.Data[cell.Data].Name,
					c.Settings[cell.Setting].Name,
					c.Measures[m].Label,
					cell.Err,
				)
			}
		}
		if cell.Err != "" {
			return nil, fmt.Errorf("%s, %s: %s", c.Data[cell.Data].Name, c.Settings[cell.Setting].Name, cell.Err)
		}
	}
	return c, nil
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
