// Command defaults writes the page docs/defaults.md: what the techniques that protect might use where none is named
// make of ten public data sets, held against what is asked of a default.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/margins"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var keep = flag.String("keep", "", "keep what was measured in this `folder`, and go on from what it has")

func main() {
	rerun.Program{
		Name:    "defaults",
		Times:   "seeds",
		Help:    "with how many seeds each is tried",
		Default: 3,
		Print:   write,
	}.Main()
}

// set is a public data set with a class, which the Framework needs.
type set struct{ name, file, class string }

// sets are those of the page on choices; Wine and Mammography stand in for Housing and Wages, which have no class.
var sets = []set{
	{"Adult", "adult/adult.csv", "income"},
	{"WBC", "wbc/wbc.csv", "class"},
	{"Heart", "heart-c/heart-c.csv", "num"},
	{"Credit", "crx/crx.csv", "class"},
	{"CMC", "cmc/cmc.csv", "contraceptive_method"},
	{"Abalone", "abalone/abalone.csv", "rings"},
	{"Mushroom", "mushroom/mushroom.csv", "class"},
	{"Vote", "vote/vote.csv", "class"},
	{"Wine", "wine/wine.csv", "class"},
	{"Mammography", "mammography/mammography.csv", "severity"},
}

// work is a folder for what is released on the way.
type work struct{ dir string }

// secret writes a seed file.
func (w work) secret(n int) (string, error) {
	path := filepath.Join(w.dir, fmt.Sprintf("seed%d", n))
	return path, os.WriteFile(path, []byte(hex.EncodeToString(append(make([]byte, 31), byte(n)))+"\n"), 0o600)
}

// proposal is what protect might do where no technique is named. All are compared with the first.
type proposal struct {
	name, method string
	set          map[string]string
}

const (
	previous  = "Extended Framework, p 0.5" // the default before
	synthesis = "Segment synthesis"
)

var proposals = slices.Concat([]proposal{
	{"Framework", "framework", nil},
	{"Extended Framework, p 0.1", "extframework", map[string]string{"p": "0.1"}},
	{previous, "extframework", map[string]string{"p": "0.5"}},
	{"Forest Framework", "forestframework", nil},
	{synthesis + ", leaves of 5", "segmentsynthesis", map[string]string{"leaf": "5"}},
	{synthesis + ", leaves of 20", "segmentsynthesis", nil},
	{synthesis + ", leaves of 50", "segmentsynthesis", map[string]string{"leaf": "50"}},
},
	inside("rankswap", "p", "10", "100"),
	inside("mdav", "k", "3"),
	inside("shuffle", ""),
	inside("cgadp", ""),
)

// inside are a technique for numbers inside a tree, then CAPT for categories and RPT for the class, by the values of a
// parameter.
func inside(technique, param string, values ...string) (out []proposal) {
	for _, v := range append(values, "")[:max(1, len(values))] {
		set := map[string]string{"1.within.by": "tree", "1.within.small": "together"}
		name := technique
		if param != "" {
			set["1."+param] = v
			name += " " + param + " " + v
		}
		out = append(out, proposal{name + " inside a tree, capt, rpt", technique + "-within+capt+rpt", set})
	}
	return out
}

// evidence is what a proposal makes of a data set: figures in per cent, but shifts of means, in standard deviations,
// and correlations.
type evidence struct {
	Certificate, Accuracy, Rules, Mean, Spread, Correlation, Found, All figure
	Margins                                                             [3]figure // of one, two and three columns
	Verdict                                                             string
	// measures whose limits the release is not shown to keep
	Broken []string
	Err    string // why there is no release
}

// figure is NaN where a table does not have it; a file says null.
type figure float64

func (f figure) MarshalJSON() ([]byte, error) {
	if f != f {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

func (f *figure) UnmarshalJSON(text []byte) error {
	v := math.NaN()
	if string(text) != "null" {
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
	}
	*f = figure(v)
	return nil
}

func (e *evidence) figures() []*figure {
	return []*figure{&e.Certificate, &e.Accuracy, &e.Rules, &e.Mean, &e.Spread, &e.Correlation, &e.Found, &e.All,
		&e.Margins[0], &e.Margins[1], &e.Margins[2]}
}

// demanded are the demands on a default, in the order of the figures.
var demanded = []string{
	"certificate",
	"accuracy",
	"rules",
	"means",
	"spreads",
	"correlations",
	"found",
	"by who knows all",
	"margins of 2",
	"margins of 3",
}

// misses returns the demands that do not hold beside the default that is compared with. What a table does not have is
// no reason against a proposal. Margins are held against those of independent columns.
func (e evidence) misses(by evidence, independent [3]figure) (out []string) {
	broken := []bool{
		e.Certificate < 100-1e-9,
		e.Accuracy < by.Accuracy-1,
		e.Rules < by.Rules-5,
		e.Mean > 0.1,
		e.Spread > 10,
		e.Correlation > 0.05,
		e.Found > max(by.Found, 9),
		e.All > by.All+5,
		e.Margins[1] >= independent[1],
		e.Margins[2] >= independent[2],
	}
	for k, name := range demanded {
		if broken[k] {
			out = append(out, name)
		}
	}
	return out
}

// tried is what became of a proposal on a data set, over the seeds.
type tried struct {
	mean     evidence
	withheld int      // releases that the default limits would have withheld
	missed   []string // demands
	err      string   // why there is no release
}

// over takes the means.
func over(list []evidence) (t tried) {
	for _, e := range list {
		if t.err = e.Err; t.err != "" {
			return t
		}
		if e.Verdict == string(study.Withheld) {
			t.withheld++
		}
		sum, each := t.mean.figures(), e.figures()
		for k := range sum {
			*sum[k] += *each[k] / figure(len(list))
		}
	}
	return t
}

// write prints what several defaults would make of the data sets.
func write(ctx context.Context, p *rerun.Page, seeds int) (err error) {
	w := work{*keep}
	if w.dir == "" {
		if w.dir, err = os.MkdirTemp("", "defaults"); err != nil {
			return err
		}
		defer os.RemoveAll(w.dir)
	}
	rows, bounds := make([][]tried, len(proposals)), make([]yardstick, len(sets))
	for i, s := range sets {
		if bounds[i], err = w.yardstick(ctx, s, seeds); err != nil {
			return err
		}
		if err := w.on(ctx, s, bounds[i], rows, seeds); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "defaults on", s.name)
	}
	head := fmt.Sprintf(intro, seeds, most, margins.Bins) + held(rows, seeds)
	_, err = p.WriteString(rerun.Wrap(head + words + closeness(rows, bounds) + every(rows, seeds)))
	return err
}

// yardstick is what the errors of margins are read beside: one half of the records beside the other, and independent
// columns.
type yardstick struct{ halves, independent [3]figure }

// yardstick takes the means over the seeds.
func (w work) yardstick(ctx context.Context, s set, seeds int) (y yardstick, err error) {
	path, err := w.excerpt(ctx, s)
	if err != nil {
		return y, err
	}
	t, _, err := format.Read(ctx, path, format.Options{})
	if err != nil {
		return y, err
	}
	for n := range seeds {
		src := rng.New([32]byte{11, byte(n)})
		half, alone := margins.Halves(t, src.Fork("halves")), margins.Independent(t, src.Fork("independent"))
		for k := range half {
			y.halves[k] += figure(half[k] / float64(seeds))
			y.independent[k] += figure(alone[k] / float64(seeds))
		}
	}
	return y, nil
}

// on tries all proposals on a data set and adds what became of them, by proposal, to rows.
func (w work) on(ctx context.Context, s set, bound yardstick, rows [][]tried, seeds int) error {
	var first evidence
	for k, d := range proposals {
		var list []evidence
		for n := range seeds {
			e, err := w.kept(ctx, s, d, 1+n)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", s.name, d.name, err)
			}
			list = append(list, e)
		}
		t := over(list)
		if k == 0 {
			first = t.mean
		}
		if t.err == "" {
			t.missed = t.mean.misses(first, bound.independent)
		}
		rows[k] = append(rows[k], t)
	}
	return nil
}

// held is the table of how often each demand is met.
func held(rows [][]tried, seeds int) string {
	var p strings.Builder
	fmt.Fprintf(
		&p,
		"| met on, of %d | %s | missed | withheld |\n|---|%s\n",
		len(sets),
		strings.Join(demanded, " | "),
		strings.Repeat("--:|", len(demanded)+2),
	)
	for k, d := range proposals {
		missed, withheld, made, by := 0, 0, 0, map[string]int{}
		for _, t := range rows[k] {
			withheld += t.withheld
			if t.err != "" {
				continue
			}
			made++
			missed += len(t.missed)
			for _, name := range t.missed {
				by[name]++
			}
		}
		fmt.Fprintf(&p, "| %s |", d.name)
		for _, name := range demanded {
			fmt.Fprintf(&p, " %d |", made-by[name])
		}
		if none := len(rows[k]) - made; none > 0 {
			missed += none * len(demanded)
		}
		fmt.Fprintf(&p, " %d | %d of %d |\n", missed, withheld, made*seeds)
	}
	return p.String()
}

// every is the table of all figures.
func every(rows [][]tried, seeds int) string {
	var p strings.Builder
	p.WriteString("\n| data | default | certificate | accuracy | rules | mean | spread | correlation | found | by who " +
		"knows all | margins of 1 | of 2 | of 3 | withheld |\n|---|---|" + strings.Repeat("--:|", 12) + "\n")
	for i, s := range sets {
		for k, d := range proposals {
			t := rows[k][i]
			if t.err != "" {
				fmt.Fprintf(&p, "| %s | %s | makes none |%s\n", s.name, d.name, strings.Repeat(" |", 11))
				continue
			}
			e := t.mean
			fmt.Fprintf(&p, "| %s | %s |", s.name, d.name)
			for k, how := range []struct {
				digits int
				unit   string
			}{{1, " %"}, {1, " %"}, {0, " %"}, {2, ""}, {0, " %"}, {2, ""}, {1, " %"}, {1, " %"}, {3, ""}, {3, ""}, {3, ""}} {
				fmt.Fprintf(&p, " %s |", shown(*e.figures()[k], how.digits, how.unit))
			}
			fmt.Fprintf(&p, " %d of %d |\n", t.withheld, seeds)
		}
	}
	return p.String()
}

// closeness is the table of the errors of margins.
func closeness(rows [][]tried, bounds []yardstick) string {
	var p strings.Builder
	p.WriteString("\n| data | columns | two halves | independent columns |")
	beside := slices.DeleteFunc(slices.Clone(proposals), func(d proposal) bool {
		return !strings.HasPrefix(d.name, synthesis) && d.name != previous
	})
	for _, d := range beside {
		p.WriteString(" " + d.name + " |")
	}
	p.WriteString("\n|---|--:|--:|--:|" + strings.Repeat("--:|", len(beside)) + "\n")
	for i, s := range sets {
		for n := range 3 {
			y := bounds[i]
			fmt.Fprintf(&p, "| %s | %d | %s | %s |", s.name, n+1, shown(y.halves[n], 3, ""), shown(y.independent[n], 3, ""))
			for k, d := range proposals {
				if slices.ContainsFunc(beside, func(b proposal) bool { return b.name == d.name }) {
					fmt.Fprintf(&p, " %s |", shown(rows[k][i].mean.Margins[n], 3, ""))
				}
			}
			p.WriteString("\n")
		}
	}
	return p.String()
}

func shown(v figure, digits int, unit string) string {
	if v != v {
		return "–"
	}
	return fmt.Sprintf("%.*f%s", digits, v, unit)
}

// kept is made, unless the folder has it of an earlier run.
func (w work) kept(ctx context.Context, s set, d proposal, seed int) (e evidence, err error) {
	path := filepath.Join(w.dir, fmt.Sprintf("default %s %s, seed %d.json", s.name, d.name, seed))
	if text, err := os.ReadFile(path); err == nil {
		return e, json.Unmarshal(text, &e)
	}
	if e, err = w.made(ctx, s, d, seed); err != nil {
		return e, err
	}
	text, err := json.Marshal(e)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	return e, err
}

// made releases a data set by a default and measures it.
func (w work) made(ctx context.Context, s set, d proposal, number int) (e evidence, err error) {
	path, err := w.excerpt(ctx, s)
	if err != nil {
		return e, err
	}
	seed, err := w.secret(number)
	if err != nil {
		return e, err
	}
	q := desk.ProtectRequest{
		Source: desk.Source{
			Said: policy.Policy{Limits: "none", Method: policy.Method{Name: d.method, Set: policy.Texts(d.set)},
				Relations: policy.Words{policy.NoRelations}}, // as the page's figures were taken
		},
		SeedFile:  seed,
		Release:   filepath.Join(w.dir, "default.csv"),
		PlanOut:   filepath.Join(w.dir, "default.json"),
		Overwrite: true,
	}
	q.Path, q.Said.Class = path, s.class
	v := desk.EvaluateRequest{
		Source: q.Source.Saying(
			policy.Policy{Limits: "default",
				Measures: map[string]map[string]policy.Text{"bias": {"dm": "false"}, "found": {"brief": "true"}}},
		),
		Released: q.Release,
		Plan:     q.PlanOut,
		SeedFile: seed,
		Measures: []string{"found", "segments", "accuracy", "treesimilarity", "bias"},
	}
	nan := figure(math.NaN())
	e = evidence{nan, nan, nan, nan, nan, nan, nan, nan, [3]figure{nan, nan, nan}, "", nil, ""}
	if _, err := (&desk.Desk{}).Protect(ctx, q); err != nil {
		e.Err = err.Error()
		return e, ctx.Err()
	}
	if e.Margins, err = ofFiles(ctx, path, q.Release); err != nil {
		return e, err
	}
	got, err := (&desk.Desk{}).Evaluate(ctx, v)
	if err != nil && got == nil {
		return e, err
	}
	for _, m := range got.Outcome.Measures {
		if m.Err.Empty() {
			e.put(&m)
		}
	}
	e.Verdict = string(got.Outcome.Verdict.State)
	for _, d := range got.Outcome.Verdict.Demands {
		if d.Standing != study.Met {
			e.Broken = append(e.Broken, fmt.Sprintf("%s %s", d.Standing, d.Measure))
		}
	}
	return e, nil
}

// ofFiles returns the errors of the margins of a release.
func ofFiles(ctx context.Context, original, release string) (out [3]figure, err error) {
	var t [2]*table.Table
	for k, path := range []string{original, release} {
		if t[k], _, err = format.Read(ctx, path, format.Options{}); err != nil {
			return out, err
		}
	}
	for k, v := range margins.Of(t[0], t[1]) {
		out[k] = figure(v)
	}
	return out, nil
}

// put puts a measure in its place.
func (e *evidence) put(m *study.Measured) {
	v := m.Value
	switch m.Name {
	case "segments":
		e.Certificate = figure(100 * v.Score)
	case "accuracy":
		e.Accuracy = figure(v.Score)
	case "treesimilarity":
		e.Rules = figure(v.Score)
	case "bias":
		e.Correlation = figure(v.Score)
		e.Mean, e.Spread = figure(v.Part("mean-shift")), figure(100*v.Part("sd-largest"))
	case "found":
		into := &e.All
		if strings.Contains(m.Intruder, "quasi") {
			into = &e.Found
		}
		*into = figure(100 * v.Score)
	}
}
