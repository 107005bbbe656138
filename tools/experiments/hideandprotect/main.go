// Command hideandprotect hides rules and protects people in one release, of Adult as items and of a made-up hospital
// table, and sets that beside either alone and beside the other order, as a page of Markdown:
//
//	go run -C tools ./experiments/hideandprotect
//	go run -C tools ./experiments/hideandprotect -write ../docs
//
// Adult is looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are fixed, so
// every run prints the same figures.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

//go:embed text.md
var words string

// command is how such a release is made; its lines are not to be wrapped.
const command = `
    dither protect patients.csv --class readmitted --method segmentsynthesis+hide2a \
        --set support=0.05 --set confidence=0.6 --sensitive hide.rules -o release.csv
`

// records are those of the hospital table.
const records = 5000

var program = rerun.Program{
	Name:    "hideandprotect",
	Times:   "draws",
	Default: 3,
	Help:    "random lists of rules of each table, with a seed each",
	Print:   print,
}

func main() { program.Main() }

func print(ctx context.Context, p *rerun.Page, draws int) error {
	adult, err := rerun.Read(ctx, "adult/adult.csv", "fnlwgt")
	if err != nil {
		return err
	}
	hospital, err := patients(ctx)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hideandprotect")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var tables strings.Builder
	for _, s := range []*set{
		{title: "Adult as items", file: "adult", class: "income", support: 0.1, confidence: 0.6, Table: adult},
		{title: "A hospital table (`dither generate patients`)", file: "patients", class: "readmitted", support: 0.05,
			confidence: 0.6, Table: hospital},
	} {
		if err := s.run(ctx, dir, draws); err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
		s.write(&tables)
	}
	page := strings.NewReplacer("{{draws}}", fmt.Sprint(draws), "{{rules}}", fmt.Sprint(listed)).Replace(words)
	for _, between := range []struct{ mark, text string }{{"{{command}}", command}, {"{{tables}}", tables.String()}} {
		var before string
		before, page, _ = strings.Cut(page, between.mark)
		p.WriteString(rerun.Wrap(strings.TrimSpace(before)) + "\n" + between.text + "\n")
	}
	p.WriteString(rerun.Wrap(strings.TrimSpace(page)) + "\n")
	return nil
}

// patients is the hospital table without the number of the patient, which no rule is about.
func patients(ctx context.Context) (*table.Table, error) {
	g, err := catalog.Generator("patients")
	if err != nil {
		return nil, err
	}
	t, err := generate.Make(ctx, g.New(), records, rng.New([32]byte{1}))
	if err != nil {
		return nil, err
	}
	return rerun.Select(t, func(a *table.Attribute) bool { return a.Name != "patient_id" }), nil
}

// ways are the releases of the page, the original first.
var ways = []way{
	{"the original", "", false},
	{"hiding alone", "hide2a", true},
	{"segment synthesis alone", "segmentsynthesis", false},
	{"hiding, then segment synthesis", "hide2a+segmentsynthesis", true},
	{"segment synthesis, then hiding", "segmentsynthesis+hide2a", true},
	{"Framework, then hiding", "framework+hide2a", true},
	{"Forest Framework, then hiding", "forestframework+hide2a", true},
}

// way is a technique, or several one after the other.
type way struct {
	name, method string
	hides        bool
}

func (s *set) write(b *strings.Builder) {
	lead := numfmt.Sprintf("%d records of %d columns; rules of support %g %% and confidence %g %%, of which %d may be "+
		"drawn.", s.Rows(), s.Width(), 100*s.support, 100*s.confidence, len(s.rules))
	fmt.Fprintf(b, "\n## %s\n\n%s\n", s.title, rerun.Wrap(lead))
	b.WriteString("\n| release | verdict | found again | people found | by who knows all but the class | rest lost | " +
		"new |\n|---|---|--:|--:|--:|--:|--:|\n")
	for k, w := range ways {
		r := s.results[k]
		fmt.Fprintf(b, "| %s | %s | %.0f of %d | %s | %s | %s | %s |\n", w.name, verdicts(r.verdicts), mean(r.failure)*
			listed, listed, percent(mean(r.found), 1), percent(mean(r.all), 1), percent(mean(r.misses), 0),
			percent(mean(r.artifacts), 0))
	}
}

// verdicts counts what was judged.
func verdicts(all []string) string {
	var out []string
	for _, v := range slices.Compact(slices.Sorted(slices.Values(all))) {
		n := 0
		for _, other := range all {
			if other == v {
				n++
			}
		}
		if v = strings.ToLower(v); n < len(all) {
			v = fmt.Sprintf("%d %s", n, v)
		}
		out = append(out, v)
	}
	return strings.Join(out, ", ")
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func percent(v float64, digits int) string { return fmt.Sprintf("%.*f %%", digits, 100*v) }
