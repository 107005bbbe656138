package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// every is the ladder of every technique and every measure.
type every struct {
	sizes []int
	limit time.Duration // of one entry at one size
	runs  map[key]timed // finished
	log   io.Writer     // a line of JSON for each that finishes
}

// key names a run.
type key struct {
	Kind    string `json:"kind"` // technique or measure
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// timed is what a run took, or why it took nothing.
type timed struct {
	Wall      float64 `json:"wall,omitempty"`      // seconds
	Processor float64 `json:"processor,omitempty"` // seconds of all cores
	Over      bool    `json:"over,omitempty"`      // it was stopped at the limit
	Not       string  `json:"not,omitempty"`       // why it does not run
	On        string  `json:"on,omitempty"`        // the table, or the technique that made the release
}

// ladder is a table of one size, what it is released as, and other columns for techniques that need them.
type ladder struct {
	people, normal *table.Table
	releases       []*measure.Release
	made           []string // the technique of each release
}

// settings are those of techniques that cannot do with their defaults: all columns make a lattice that is too large.
var settings = map[string]map[string]string{"kanonymise": set("columns=" + quasi)}

// makers make the releases that measures are taken of: the first to which a measure applies.
var makers = []string{"framework", "correlatednoise", "globalrecode"}

// run takes what is not finished, the smallest tables first; an entry that was stopped is not tried on larger ones.
func (e *every) run(ctx context.Context, dir string, adult [][]string) error {
	for _, n := range e.sizes {
		path := filepath.Join(dir, strconv.Itoa(n)+"-every.csv")
		if err := write(path, adult, n); err != nil {
			return err
		}
		t, _, err := read(ctx, path)
		if err != nil {
			return err
		}
		l := &ladder{people: classed(aged(t)), normal: normals(n, 20)}
		for _, m := range catalog.Methods() {
			err := e.once(
				ctx,
				key{"technique", m.Name, n},
				func(ctx context.Context) (string, error) { return l.technique(ctx, m) },
			)
			if err != nil {
				return err
			}
		}
		if err := l.release(ctx); err != nil {
			return err
		}
		for _, m := range catalog.Measures() {
			err := e.once(ctx, key{"measure", m.Name, n}, func(ctx context.Context) (string, error) { return l.measure(ctx, m) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// aged returns the table with the ages that the hierarchy of ages lists.
func aged(t *table.Table) *table.Table {
	j := t.Find("age")
	ages := slices.Clone(t.Num(j))
	for i, v := range ages {
		ages[i] = min(max(v, 17), 90)
	}
	return t.WithNum(j, ages)
}

// once runs an entry that is not finished and was not stopped on a smaller table, and keeps what it took.
func (e *every) once(ctx context.Context, k key, work func(ctx context.Context) (on string, err error)) error {
	if _, done := e.runs[k]; done {
		return nil
	}
	for _, n := range e.sizes {
		if r := e.runs[key{k.Kind, k.Name, n}]; n < k.Records && (r.Over || r.Not != "") {
			return nil
		}
	}
	runtime.GC()
	some, cancel := context.WithTimeout(ctx, e.limit)
	defer cancel()
	start, spent := time.Now(), processor.Seconds()
	on, err := work(some)
	r := timed{Wall: time.Since(start).Seconds(), Processor: processor.Seconds() - spent, On: on}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case some.Err() != nil:
		r = timed{Over: true}
	case err != nil:
		r = timed{Not: err.Error()}
	}
	e.runs[k] = r
	line, err := json.Marshal(struct {
		key
		timed
	}{k, r})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s %s, %d records: %.2f s\n", k.Kind, k.Name, k.Records, r.Wall)
	_, err = e.log.Write(append(line, '\n'))
	return err
}

// technique fits and applies a technique: to people like Adult's, or where it wants other columns to correlated
// numbers.
func (l *ladder) technique(ctx context.Context, m protect.Method) (string, error) {
	err := release(ctx, m, l.people, settings[m.Name])
	if err == nil || ctx.Err() != nil {
		return "Adult", err
	}
	if release(ctx, m, l.normal, nil) == nil {
		return "20 normals", nil
	}
	return "", err
}

// release makes what measures are taken of.
func (l *ladder) release(ctx context.Context) error {
	homes := map[table.RecordID]int32{}
	for i := range l.people.Rows() {
		homes[l.people.ID(i)] = int32(i / 3)
	}
	for _, name := range makers {
		m, err := catalog.Method(name)
		if err != nil {
			return err
		}
		p, err := study.Protect(
			ctx,
			study.Request{KeepOrder: true, Table: l.people, Method: m, Seed: rng.SeedOf([32]byte{1})},
		)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r := &measure.Release{Original: l.people, Released: p.Released, Paired: true}
		if err := study.WithPlan(r, p.Plan); err != nil {
			return err
		}
		r.Earlier, r.Persons = []*table.Table{r.Released}, map[string]map[table.RecordID]int32{household: homes}
		r.Again = func(ctx context.Context, t *table.Table, src rng.Source) (*table.Table, error) {
			p, err := study.Protect(ctx, study.Request{KeepOrder: true, Table: t, Method: m, Seed: rng.SeedOf([32]byte{2})})
			if err != nil {
				return nil, err
			}
			return p.Released, nil
		}
		l.releases, l.made = append(l.releases, r), append(l.made, name)
	}
	return nil
}

// household is the name of what tells which three records belong together.
const household = "household"

// knowing is the intruder who knows everything but the class: the plan, the order and the households, too.
var knowing = &intruder.Intruder{
	Name:   "knows everything but the class",
	Knows:  []string{intruder.All},
	Secret: []string{"role:class"},
	Order:  true,
	Plan:   true,
	Person: household,
}

// measure takes a measure with its defaults, of a release of which nothing is known yet.
func (l *ladder) measure(ctx context.Context, m measure.Measure) (on string, err error) {
	for k, r := range l.releases {
		cold := *r
		if _, err = measure.Take(ctx, m.New(), cold.Against(knowing), rng.New([32]byte{3})); !errors.Is(
			err,
			measure.ErrNotApplicable,
		) {
			return l.made[k], err
		}
	}
	return "", err
}

// steep is the slope above which the page says why.
const steep = 1.2

// print writes the table, what does not run, and why those grow that grow faster than the records.
func (e *every) print(w io.Writer) {
	fmt.Fprintln(w, rerun.Wrap(fmt.Sprintf("%d cores. One run each, in seconds, processor seconds of all cores in "+
		"brackets; over %.0f s an entry is stopped, and not tried on more. "+
		"The slope is that of the logarithms of the processor seconds over the last two sizes, where the larger took %.1f "+
		"s at least: 1 is in proportion to the records. "+
		"Nothing is shared between entries, as it is in one run of a command. Techniques are fitted and applied with their "+
		"defaults (kanonymise: nine quasi-identifiers); "+
		"measures are taken of a release by the first of %s to which they apply, with the plan.",
		runtime.GOMAXPROCS(0), e.limit.Seconds(), shortest, strings.Join(makers, ", "))))
	var why, not []string
	for _, kind := range []string{"technique", "measure"} {
		fmt.Fprintf(w, "\n| %s | on |", kind)
		rule := "|---|---|"
		for _, n := range e.sizes {
			fmt.Fprintf(w, " %d |", n)
			rule += "--:|"
		}
		fmt.Fprintf(w, " slope |\n%s--:|\n", rule)
		for _, x := range entries(kind) {
			first := e.runs[key{kind, x.name, e.sizes[0]}]
			if first.Not != "" {
				not = append(not, rerun.Wrap(fmt.Sprintf("- %s: %s", x.name, first.Not)))
				continue
			}
			slope := e.slope(kind, x.name)
			fmt.Fprintf(w, "| %s | %s |", x.name, first.On)
			for _, n := range e.sizes {
				fmt.Fprintf(w, " %s |", e.cell(key{kind, x.name, n}))
			}
			if math.IsNaN(slope) {
				fmt.Fprint(w, " |\n")
				continue
			}
			fmt.Fprintf(w, " %.2f |\n", slope)
			if slope > steep {
				why = append(why, rerun.Wrap(fmt.Sprintf("- %s, %.2f: %s", x.name, slope, x.cost)))
			}
		}
	}
	list(
		w,
		fmt.Sprintf("Those with a slope above %.1f, and the cost that their entry in the catalogue states:", steep),
		why,
	)
	list(w, "Not run, and why:", not)
}

func list(w io.Writer, title string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(w, "\n%s\n\n%s\n", title, strings.Join(lines, "\n"))
	}
}

// entry is a technique or a measure.
type entry struct{ name, cost string }

func entries(kind string) (out []entry) {
	if kind == "technique" {
		for _, m := range catalog.Methods() {
			out = append(out, entry{m.Name, m.Cost})
		}
		return out
	}
	for _, m := range catalog.Measures() {
		out = append(out, entry{m.Name, m.Cost})
	}
	return out
}

func (e *every) cell(k key) string {
	r, done := e.runs[k]
	switch {
	case !done:
		return ""
	case r.Over:
		return fmt.Sprintf("over %.0f", e.limit.Seconds())
	case r.Not != "":
		return "fails"
	}
	return fmt.Sprintf("%.2f (%.2f)", r.Wall, r.Processor)
}

// shortest is what the larger of two runs takes at least, in seconds, that a slope is taken of.
const shortest = 0.2

// slope returns the slope over the two largest sizes that were finished; NaN where there is none to tell.
func (e *every) slope(kind, name string) float64 {
	var sizes []float64
	var spent []float64
	for _, n := range e.sizes {
		if r, done := e.runs[key{kind, name, n}]; done && !r.Over && r.Not == "" {
			sizes, spent = append(sizes, float64(n)), append(spent, max(r.Processor, r.Wall/1000))
		}
	}
	k := len(sizes) - 1
	if k < 1 || spent[k] < shortest {
		return math.NaN()
	}
	return math.Log(spent[k]/spent[k-1]) / math.Log(sizes[k]/sizes[k-1])
}

// resume reads what earlier runs finished, and opens the file for more.
func (e *every) resume(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	e.runs, e.log = map[key]timed{}, f
	for d := json.NewDecoder(f); ; {
		var line struct {
			key
			timed
		}
		switch err := d.Decode(&line); {
		case errors.Is(err, io.EOF):
			return f, nil
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("%s: %w: take out the last line, which was not finished", path, err)
		}
		e.runs[line.key] = line.timed
	}
}

// The places of tables in a page.
const (
	beginEvery = "<!-- every technique and measure -->\n"
	end        = "<!-- end -->\n"
)

// into puts a table into a page, between its mark and the next end, or at the end of the page.
func into(page, begin, text string) string {
	before, rest, found := strings.Cut(page, begin)
	if !found {
		return page + "\n" + begin + text + end
	}
	_, after, _ := strings.Cut(rest, end)
	return before + begin + text + end + after
}

// sizesOf reads sizes with commas between.
func sizesOf(text string) ([]int, error) {
	var out []int
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-sizes: %q is not a number of records", word)
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
