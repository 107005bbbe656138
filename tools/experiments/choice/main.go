// Command choice writes the page docs/choice.md: what the search for the least noise chooses on ten public data sets,
// held against grids and against fresh intruders, and the procedure of Nai Fovino & Masera (2008) walked through with
// it.
package main

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// set is a public data set as a custodian would have it.
type set struct {
	name, file, class string
	quasi             []string // what an intruder may know, where the profile would not suggest it
}

var sets = []set{
	{"Adult", "adult/adult.csv", "income", nil},
	{"WBC", "wbc/wbc.csv", "class", nil},
	{"Heart", "heart-c/heart-c.csv", "num", nil},
	{"Credit", "crx/crx.csv", "class", nil},
	{"CMC", "cmc/cmc.csv", "contraceptive_method", nil},
	{"Abalone", "abalone/abalone.csv", "rings", nil},
	{"Mushroom", "mushroom/mushroom.csv", "class", nil},
	{"Vote", "vote/vote.csv", "class", nil},
	{"Housing", "bhp/bhp.csv", "", nil},
	{"Wages", "wages/wages.csv", "", nil},
}

// gridLevels is how many levels above the mildest each grid has: that of a scan of the search, and one of other
// settings.
var gridLevels = []int{8, 12}

var (
	keep = flag.String("keep", "", "keep trials in this `folder`, and go on from those it has")
	grid = flag.String("grids", "Heart,Wages,Vote", "hold the search against a grid on these data `sets`")
	part = flag.String("part", "", "print this `part` only: attacked or walk")
	only = flag.String("sets", "", "choose on these data `sets` only, with commas between, and print nothing else")
)

func main() {
	rerun.Program{
		Name:    "choice",
		Times:   "choices",
		Help:    "how many small choices fresh intruders attack",
		Default: 100,
		Print:   write,
	}.Main()
}

// work is a folder for what is released on the way, and the seed of everything.
type work struct{ dir, seed string }

func newWork() (w work, err error) {
	if w.dir = *keep; w.dir == "" {
		if w.dir, err = os.MkdirTemp("", "choice"); err != nil {
			return w, err
		}
	}
	if err = os.MkdirAll(w.dir, 0o700); err != nil {
		return w, err
	}
	w.seed, err = w.secret(1)
	return w, err
}

// secret writes a seed file.
func (w work) secret(n byte) (string, error) {
	path := filepath.Join(w.dir, fmt.Sprintf("seed%d", n))
	return path, os.WriteFile(path, []byte(hex.EncodeToString(append(make([]byte, 31), n))+"\n"), 0o600)
}

// ask is a choice on a data set.
func (w work) ask(path, class string, roles []string) desk.ChooseRequest {
	q := desk.ChooseRequest{}
	q.Path, q.Said.Class, q.SeedFile, q.Overwrite = path, class, w.seed, true
	q.Said.Columns = map[string]policy.Column{}
	q.Said.Relations = policy.Words{policy.NoRelations} // as the page's figures were taken
	q.Release = filepath.Join(w.dir, filepath.Base(path)+".released.csv")
	for _, r := range roles {
		q.Said.Columns[r] = policy.Column{Role: policy.Roles{"quasi-identifier"}}
	}
	return q
}

// result is a choice with what it took.
type result struct {
	set
	*desk.Chosen
	seconds float64 // of all cores
}

func (w work) choose(ctx context.Context, s set) (r result, err error) {
	path, err := dataset.Path(s.file)
	if err != nil {
		return r, err
	}
	spent := processor.Seconds()
	r.set = s
	q := w.ask(path, s.class, s.quasi)
	q.Resume = filepath.Join(w.dir, s.name+".trials")
	r.Chosen, err = (&desk.Desk{}).Choose(ctx, q)
	if r.Chosen == nil { // where nothing keeps the limits the choice comes with the error
		return r, err
	}
	// The first run of all that are kept took the time.
	took := filepath.Join(w.dir, s.name+".seconds")
	if text, err := os.ReadFile(took); err == nil {
		_, err = fmt.Sscan(string(text), &r.seconds)
		return r, err
	}
	r.seconds = processor.Seconds() - spent
	fmt.Fprintf(os.Stderr, "%s: %.1f s\n", s.name, r.seconds)
	return r, os.WriteFile(took, []byte(fmt.Sprint(r.seconds)), 0o600)
}

func write(ctx context.Context, p *rerun.Page, times int) error {
	w, err := newWork()
	if err != nil {
		return err
	}
	if *keep == "" {
		defer os.RemoveAll(w.dir)
	}
	if *part == "attacked" {
		return w.attacked(ctx, p, times)
	}
	if *part == "walk" {
		return w.walk(ctx, p)
	}
	p.WriteString(intro)
	var all []result
	for _, s := range sets {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), s.name) {
			continue
		}
		r, err := w.choose(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, r)
	}
	printChoices(p, all)
	printRankings(p, all)
	if err := w.grids(ctx, p, all); err != nil {
		return err
	}
	if *only != "" {
		if err := w.walk(ctx, p); err != nil {
			return err
		}
		fmt.Fprintf(p, "\n## What is left out here\n\nThis page was made with `-sets %s -grids %s`. Without them the "+
			"program holds the search against grids on three data sets, and lets fresh intruders loose on 100 small choices.\n",
			*only, *grid)
		finish(p)
		return nil
	}
	if err := w.attacked(ctx, p, times); err != nil {
		return err
	}
	if err := w.walk(ctx, p); err != nil {
		return err
	}
	finish(p)
	return nil
}

// finish adds the last words and wraps the page.
func finish(p *rerun.Page) {
	p.WriteString(others)
	text := rerun.Wrap(p.String())
	p.Reset()
	p.WriteString(text)
}

// printChoices is the table of what was chosen.
func printChoices(p *rerun.Page, all []result) {
	p.WriteString("\n## Ten data sets\n\nWith the default limits and weights, and the roles suggested by the profile. " +
		"`loses` is the loss of the release that confirmed the choice, in per cent of the maximum, `found` what the best " +
		"attack by an intruder to whom the limits apply finds in it, with one-sided 95 % bounds, and `out` how many " +
		"candidates fail the limits with their strongest noise, or cannot be shown to meet them. Seconds are processor " +
		"time: two idle cores take about half as long; for an interrupted search they are those after it was resumed.\n\n")
	p.WriteString("| data | records | chosen | settings | loses | found | verdict | out | trials | seconds |\n" +
		"|---|--:|---|---|--:|---|---|--:|--:|--:|\n")
	for _, r := range all {
		out := 0
		for _, x := range r.Rejected {
			if x.Demand != nil {
				out++
			}
		}
		if r.Chosen.Chosen == nil {
			fmt.Fprintf(
				p,
				"| %s | %s | none | | | | %s | %d | %d | %.0f |\n",
				r.name,
				numfmt.Count(float64(r.Records)),
				verdict(r),
				out,
				r.Trials,
				r.seconds,
			)
			continue
		}
		o := r.Chosen.Chosen
		fmt.Fprintf(
			p,
			"| %s | %s | %s | %s | %.1f %% | %s | %s | %d | %d | %.0f |\n",
			r.name,
			numfmt.Count(float64(r.Records)),
			r.Candidates[o.Candidate].Name,
			settings(r, *o),
			100*o.Total,
			found(r),
			verdict(r),
			out,
			r.Trials,
			r.seconds,
		)
	}
}

func verdict(r result) string {
	if r.Protection == nil {
		return "nothing keeps the limits"
	}
	return string(r.Outcome.Verdict.State)
}

// settings are the parameters of an option, those of segments left out: the name says them.
func settings(r result, o search.Option) string {
	set := r.Candidates[o.Candidate].Params(o.Setting)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(set)) {
		if !strings.Contains(k, "within.") {
			out = append(out, k+" "+set[k])
		}
	}
	return strings.Join(out, ", ")
}

// found is what the worst bound intruder finds in the release.
func found(r result) string {
	for _, d := range r.Outcome.Verdict.Demands {
		if d.Measure == "found" && d.Value != nil {
			return fmt.Sprintf("%.1f %% (%.1f to %.1f %%)", 100**d.Value, 100**d.Lo, 100**d.Hi)
		}
	}
	return ""
}

// printRankings shows the three best techniques of every data set, by aspect.
func printRankings(p *rerun.Page, all []result) {
	p.WriteString("\n## The three that lose least\n\nMeans over the seeds of the search, in per cent. `first` is the " +
		"share of all weightings under which a technique comes first among those that meet the limits; a dash marks an " +
		"aspect that the table does not have.\n\n")
	names := []string{"accuracy", "rules", "associations", "correlations", "means", "spreads", "distributions", "detail"}
	p.WriteString(
		"| data | technique | loses | first | " + strings.Join(
			names,
			" | ",
		) + " |\n|---|---|--:|--:|" + strings.Repeat(
			"--:|",
			len(names),
		) + "\n",
	)
	for _, r := range all {
		for _, o := range r.Ranking[:min(3, len(r.Ranking))] {
			fmt.Fprintf(
				p,
				"| %s | %s | %.1f | %s |",
				r.name,
				r.Candidates[o.Candidate].Name,
				100*o.Total,
				numfmt.Percent(o.Share),
			)
			for _, n := range names {
				k := slices.IndexFunc(r.Aspects, func(a search.WeightedLoss) bool { return a.Name == n })
				if k < 0 {
					p.WriteString(" – |")
				} else {
					fmt.Fprintf(p, " %.1f |", 100*o.Losses[k])
				}
			}
			p.WriteString("\n")
		}
	}
}
