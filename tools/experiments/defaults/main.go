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

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
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

var proposals = slices.Concat([]proposal{
	{"Framework", "framework", nil},
	{"Framework, spread 5", "framework", map[string]string{"spread": "5"}},
	{"Extended Framework, p 0.1", "extframework", map[string]string{"p": "0.1"}},
	{"Extended Framework, p 0.3", "extframework", map[string]string{"p": "0.3"}},
	{"Extended Framework, p 0.5", "extframework", map[string]string{"p": "0.5"}},
	{"Extended Framework, p 0.1, leaves of 10", "extframework", map[string]string{"p": "0.1", "minLeaf": "10"}},
	{"Extended Framework, p 0.1, GADP", "extframework", map[string]string{"p": "0.1", "technique": "gadp"}},
	{"Extended Framework, p 0.1, EGADP", "extframework", map[string]string{"p": "0.1", "technique": "egadp"}},
	{"Forest Framework", "forestframework", nil},
	{"Segment synthesis", "segmentsynthesis", nil},
},
	inside("rankswap", "p", "1", "10", "100"),
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
	return []*figure{&e.Certificate, &e.Accuracy, &e.Rules, &e.Mean, &e.Spread, &e.Correlation, &e.Found, &e.All}
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
}

// misses returns the demands that do not hold beside the default that is compared with. What a table does not have is
// no reason against a proposal.
func (e evidence) misses(by evidence) (out []string) {
	broken := []bool{
		e.Certificate < 100-1e-9,
		e.Accuracy < by.Accuracy-1,
		e.Rules < by.Rules-5,
		e.Mean > 0.1,
		e.Spread > 10,
		e.Correlation > 0.05,
		e.Found > max(by.Found, 9),
		e.All > by.All+5,
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
	rows := make([][]tried, len(proposals))
	for _, s := range sets {
		if err := w.on(ctx, s, rows, seeds); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, "defaults on", s.name)
	}
	p.WriteString(rerun.Wrap(fmt.Sprintf(intro, seeds, most) + held(rows, seeds) + words + every(rows, seeds)))
	return nil
}

// on tries all proposals on a data set and adds what became of them, by proposal, to rows.
func (w work) on(ctx context.Context, s set, rows [][]tried, seeds int) error {
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
			t.missed = t.mean.misses(first)
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
		"knows all | withheld |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for i, s := range sets {
		for k, d := range proposals {
			t := rows[k][i]
			if t.err != "" {
				fmt.Fprintf(&p, "| %s | %s | makes none | | | | | | | | |\n", s.name, d.name)
				continue
			}
			e := t.mean
			fmt.Fprintf(
				&p,
				"| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %d of %d |\n",
				s.name,
				d.name,
				shown(e.Certificate, 1, " %"),
				shown(e.Accuracy, 1, " %"),
				shown(e.Rules, 0, " %"),
				shown(e.Mean, 2, ""),
				shown(
					e.Spread,
					0,
					" %",
				),
				shown(e.Correlation, 2, ""),
				shown(e.Found, 1, " %"),
				shown(e.All, 1, " %"),
				t.withheld,
				seeds,
			)
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

// most is how many records of a data set are looked at.
const most = 4000

// excerpt writes some of the records of a data set, drawn at random, where there are more.
func (w work) excerpt(ctx context.Context, s set) (string, error) {
	path, err := dataset.Path(s.file)
	if err != nil {
		return "", err
	}
	t, _, err := format.Read(ctx, path, format.Options{})
	if err != nil || t.Rows() <= most {
		return path, err
	}
	rows := rng.New([32]byte{10}).Rand().Perm(t.Rows())[:most]
	slices.Sort(rows)
	path = filepath.Join(w.dir, s.name+".csv")
	_, err = format.Write(ctx, path, t.Gather(rows), format.Options{})
	return path, err
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
			policy.Policy{Measures: map[string]map[string]policy.Text{"bias": {"dm": "false"}, "found": {"brief": "true"}}},
		),
		Released: q.Release,
		Plan:     q.PlanOut,
		SeedFile: seed,
		Measures: []string{"found", "segments", "accuracy", "treesimilarity", "bias"},
	}
	nan := figure(math.NaN())
	e = evidence{nan, nan, nan, nan, nan, nan, nan, nan, "", nil, ""}
	if _, err := (&desk.Desk{}).Protect(ctx, q); err != nil {
		e.Err = err.Error()
		return e, ctx.Err()
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
		if strings.Contains(m.Intruder, "quasi") {
			e.Found = figure(100 * v.Score)
		} else {
			e.All = figure(100 * v.Score)
		}
	}
}
