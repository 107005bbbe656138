package dither_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// five writes five kinds of tables and returns their paths and classes: invented patients and census records, visits of
// persons with several rows each, few records, and columns with missing values and dates.
func five(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	written := func(name string, tab *table.Table) string {
		path := filepath.Join(dir, name)
		must.Get(format.Write(t.Context(), path, tab, format.Options{}))(t)
		return path
	}
	var visits, dates strings.Builder
	visits.WriteString("patient_id,age,ward,glucose,readmitted\n")
	dates.WriteString("born,city,income,outcome\n")
	for i := range 600 {
		fmt.Fprintf(
			&visits,
			"P%03d,%d,%s,%.1f,%s\n",
			i/4,
			20+i/4%60,
			[]string{"a", "b", "c"}[i/4%3],
			70+float64(i*37%600)/10,
			[]string{"yes", "no"}[i%3/2],
		)
		income := fmt.Sprint(1000 + i*i%3000)
		if i%11 == 0 {
			income = ""
		}
		fmt.Fprintf(
			&dates,
			"19%02d-%02d-%02d,%s,%s,%s\n",
			i%90,
			1+i%12,
			1+i%28,
			[]string{"Ulm", "Bonn", "Kiel"}[i%3],
			income,
			[]string{"a", "b"}[i*7%5/3],
		)
	}
	return map[string]string{
		written("patients.csv", generate.Patients(250, rng.New([32]byte{1}))): "readmitted",
		written("few.csv", generate.Patients(60, rng.New([32]byte{2}))):       "readmitted",
		put("visits.csv", visits.String()):                                    "readmitted",
		put("dates.csv", dates.String()):                                      "outcome",
		written("more.csv", generate.Patients(3000, rng.New([32]byte{3}))):    "readmitted",
	}
}

// figures are all figures of a verdict.
func figures(t *testing.T, v *study.Verdict) string {
	t.Helper()
	data := must.Get(json.Marshal(v))(t)
	return string(data)
}

// The same table has the same verdict, figure for figure, in memory, as a file, and by the command; and the same
// release.
func TestMemoryIsJudgedAsFiles(t *testing.T) {
	ctx := t.Context()
	for path, class := range five(t) {
		name := filepath.Base(path)
		if (testing.Short() || !long.Enabled()) && name != "visits.csv" && (name != "few.csv" || !long.Enabled()) {
			continue // the others show the same, but for the one of which some people are tried
		}
		seed := rng.SeedOf([32]byte{7})
		pol := &policy.Policy{Version: 1, Class: class}
		file := must.Get(dither.Open(ctx, dither.File(path), pol))(t)
		read, _, err := format.Read(ctx, path, format.Options{})
		must.NoError(t, err)
		memory := must.Get(dither.Open(ctx, dither.Memory(name, read), pol))(t)
		var verdicts, releases []string
		for _, d := range []*dither.Data{file, memory} {
			r, err := dither.Protect(ctx, d, dither.Seed(seed))
			if w := (*dither.Withheld)(nil); err != nil && !errors.As(err, &w) {
				t.Fatal(err)
			}
			verdicts = append(verdicts, figures(t, r.Verdict()))
			var b bytes.Buffer
			if err == nil {
				err = dither.WriteTo(ctx, r, &b, "r.csv")
			}
			releases = append(releases, fmt.Sprint(b.String(), err == nil))
		}
		seedFile, out := filepath.Join(t.TempDir(), "seed"), filepath.Join(t.TempDir(), "out.csv")
		must.NoError(t, os.WriteFile(seedFile, []byte(seed.Reveal()), 0o600))
		p, _ := (&desk.Desk{}).Protect(
			ctx,
			desk.ProtectRequest{
				Source:   desk.Source{Path: path, Said: policy.Policy{Class: class}},
				Release:  out,
				SeedFile: seedFile,
			},
		)
		if p == nil {
			t.Fatalf("%s: the command makes no release", name)
		}
		verdicts = append(verdicts, figures(t, p.Outcome.Verdict))
		written, err := os.ReadFile(out)
		releases = append(releases, fmt.Sprint(string(written), err == nil))
		for k, from := range []string{"in memory", "by the command"} {
			if verdicts[0] != verdicts[k+1] {
				t.Errorf("%s: as a file\n%s\n%s\n%s", name, verdicts[0], from, verdicts[k+1])
			}
			if releases[0] != releases[k+1] {
				t.Errorf("%s: the release %s is another one", name, from)
			}
		}
	}
}

func TestMain(m *testing.M) {
	chance.Fix()
	os.Exit(m.Run())
}

// opened is a table of patients by a policy.
func opened(t *testing.T, n int, pol *policy.Policy) *dither.Data {
	t.Helper()
	chance.Begin(t)
	pol.Version, pol.Class = 1, "readmitted"
	d := must.Get(dither.Open(t.Context(), dither.Memory("patients", generate.Patients(n, rng.New([32]byte{1}))), pol))(t)
	return d
}

// Write takes what may go out and nothing else, and overwrites nothing.
func TestWriteRefuses(t *testing.T) {
	ctx := t.Context()
	out := filepath.Join(t.TempDir(), "out.csv")
	var withheld *dither.Withheld

	r, err := dither.Protect(ctx, opened(t, 100, &policy.Policy{Method: policy.Method{Name: "rpt"}}))
	if !errors.As(err, &withheld) || withheld.Verdict.State != study.Withheld {
		t.Fatalf("a release that hardly changed anything: %v", err)
	}
	if _, err := dither.Write(ctx, r, out); !errors.As(err, &withheld) {
		t.Errorf("it is written: %v", err)
	}
	if _, err := r.Table(); !errors.As(err, &withheld) {
		t.Errorf("its table is handed out: %v", err)
	}
	if err := dither.WriteTo(ctx, r, &bytes.Buffer{}, "r.csv"); !errors.As(err, &withheld) {
		t.Errorf("it is written elsewhere: %v", err)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal("there is a file")
	}

	empty := filepath.Join(t.TempDir(), "limits.yaml")
	must.NoError(t, os.WriteFile(empty, []byte("name: nothing\nlimits: []\n"), 0o600))
	r, err = dither.Protect(ctx, opened(t, 100, &policy.Policy{Limits: empty}))
	if err != nil || r.Verdict().State != study.Unjudged {
		t.Fatalf("%v", err)
	}
	if _, err := dither.Write(ctx, r, out); err == nil {
		t.Error("a release that nothing judged is written although nobody asked for that")
	}
	r = must.Get(dither.Protect(ctx, opened(t, 100, &policy.Policy{Limits: "none"})))(t)
	sum, err := dither.Write(ctx, r, out)
	if err != nil || len(sum) != 64 {
		t.Fatalf("without limits by name: %q, %v", sum, err)
	}
	if _, err := dither.Write(ctx, r, out); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it overwrites: %v", err)
	}
}

// A table that is read from elsewhere is that of the file, and errors name it as it was named.
func TestReader(t *testing.T) {
	text := "age,ward\n40,a\n51,b\n"
	d, err := dither.Open(t.Context(), dither.Reader("visits.csv", strings.NewReader(text)), nil)
	if err != nil || d.Table().Rows() != 2 || d.Table().Find("ward") != 1 {
		t.Fatalf("%v", err)
	}
	broken := strings.NewReader("age,ward\n40\n\"51,b\n")
	if _, err := dither.Open(t.Context(), dither.Reader("visits.csv", broken), nil); err == nil ||
		!strings.HasPrefix(err.Error(), "visits.csv") {
		t.Errorf("%v", err)
	}
}

// A text of fixed width is read by the description that the policy names.
func TestFixedWidth(t *testing.T) {
	dir := t.TempDir()
	places, data := filepath.Join(dir, "a.sps"), filepath.Join(dir, "a.dat")
	for path, text := range map[string]string{places: "DATA LIST /age 1-2 ward 3 (A).", data: "40a\n51b\n"} {
		must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	pol := &policy.Policy{Version: 1, File: policy.File{Layout: places}}
	d, err := dither.Open(t.Context(), dither.File(data), pol)
	if err != nil || d.Table().Rows() != 2 || d.Table().Num(d.Table().Find("age"))[1] != 51 {
		t.Fatalf("%v", err)
	}
	must.NoError(t, os.WriteFile(places, []byte("age, then ward"), 0o600))
	_, err = dither.Open(t.Context(), dither.File(data), pol)
	if err == nil || !strings.HasPrefix(err.Error(), places+" describes no columns") {
		t.Errorf("%v", err)
	}
}

// lazy is a technique that claims to change a column and does not.
type lazy struct{}

type lazyPlan struct{ Attrs []table.Attribute }

func (lazy) Params() param.Set { return nil }
func (lazy) Fit(_ context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	return &lazyPlan{t.Attrs()}, nil
}
func (p *lazyPlan) Schema() []table.Attribute { return p.Attrs }
func (p *lazyPlan) Changes() []string         { return []string{"age"} }
func (p *lazyPlan) Apply(t *table.Table, _ rng.Source) (*table.Table, error) {
	return t, nil
}

// A technique of the caller's own goes through the same door: in random order, and judged.
func TestOwnTechnique(t *testing.T) {
	own := protect.Method{Card: card.Card{Name: "lazy", Title: "Lazy"}, New: func() protect.Technique { return lazy{} },
		Plan: func() protect.Plan { return &lazyPlan{} }}
	_, err := dither.Protect(t.Context(), opened(t, 200, &policy.Policy{}), dither.Technique(own, nil))
	var withheld *dither.Withheld
	if !errors.As(err, &withheld) || !strings.Contains(err.Error(), "as it is in the original") {
		t.Fatalf("%v", err)
	}
	r, err := dither.Protect(t.Context(), opened(t, 200, &policy.Policy{Limits: "none"}), dither.Technique(own, nil))
	must.NoError(t, err)
	out := must.Get(r.Table())(t)
	inPlace := 0
	for i := range out.Rows() {
		if int(out.ID(i)) == i {
			inPlace++
		}
	}
	if inPlace > 12 { // 1 is expected; more than 12 once in 10^10
		t.Errorf("%d of 200 records stand where they stood", inPlace)
	}
	again, err := dither.Protect(t.Context(), opened(t, 200, &policy.Policy{Limits: "none", KeepOrder: true}),
		dither.Technique(own, r.Plan()))
	if err != nil || again.Plan() != r.Plan() {
		t.Fatalf("a plan that was fitted before is not applied as it is: %v", err)
	}
	if out, err = again.Table(); err != nil || int(out.ID(17)) != 17 {
		t.Errorf("the order is not kept where the policy keeps it: %v", err)
	}
}

var turn int // of the test that follows: the process remembers a table, so each has another one

// Several releases of one table by fresh seeds are noted in all of them; those by a seed of the caller's are not.
func TestAveragingIsNoted(t *testing.T) {
	turn++
	d := opened(t, 136+turn, &policy.Policy{Limits: "none"})
	noted := func(r *dither.Release) bool {
		return slices.ContainsFunc(r.Notes(),
			func(n message.Sentence) bool { return strings.Contains(n.String(), "can average the noise away") })
	}
	make := func(opts ...dither.Option) *dither.Release {
		r := must.Get(dither.Protect(t.Context(), d, opts...))(t)
		return r
	}
	seeded, again := make(dither.Seed(rng.SeedOf([32]byte{1}))), make(dither.Seed(rng.SeedOf([32]byte{1})))
	first := make()
	if noted(first) || noted(seeded) || noted(again) {
		t.Error("one release by a fresh seed is noted")
	}
	second := make()
	if !noted(first) || !noted(second) {
		t.Error("two releases by fresh seeds are not noted in both")
	}
}

// A release is evaluated as it was judged, and one that was made elsewhere is judged, too: the original itself is
// withheld.
func TestEvaluate(t *testing.T) {
	ctx := t.Context()
	people := long.Of(100, 400)
	d := opened(t, people, &policy.Policy{})
	same := must.Get(d.OpenRelease(ctx, dither.Memory("same", d.Table())))(t)
	v, err := dither.Judge(ctx, d, same)
	if err != nil || v.State != study.Withheld {
		t.Fatalf("the original is let go: %v", err)
	}
	e, err := dither.Attack(ctx, d, same)
	if err != nil || len(e.Attacks) == 0 || e.Verdict.State != study.Withheld {
		t.Fatalf("%v", err)
	}
	r, err := dither.Protect(ctx, d)
	if w := (*dither.Withheld)(nil); err != nil && !errors.As(err, &w) {
		t.Fatal(err)
	}
	own := must.Get(dither.Judge(ctx, d, r.Data()))(t)
	if len(own.Demands) != len(r.Verdict().Demands) {
		t.Errorf("%d demands, of the release %d", len(own.Demands), len(r.Verdict().Demands))
	}
	i, err := dither.Inspect(ctx, d)
	if err != nil || i.Exposure.Rows != people || len(i.Roles) != d.Table().Width() {
		t.Errorf("%v %+v", err, i)
	}
	c, err := dither.Compare(ctx, []*dither.Data{d},
		dither.Contest{Methods: []string{"rpt", "framework"}, Measures: []string{"accuracy"}, Folds: 2})
	if err != nil || len(c.Settings) != 3 {
		t.Errorf("%v", err)
	}
}

// Calls may be made at the same time, and end when their context does.
func TestAtTheSameTime(t *testing.T) {
	d := opened(t, 150, &policy.Policy{Limits: "none"})
	var wg sync.WaitGroup
	sums := make([]string, 4)
	for k := range sums {
		wg.Go(func() {
			r, err := dither.Protect(t.Context(), d, dither.Seed(rng.SeedOf([32]byte{5})))
			if err != nil {
				t.Error(err)
				return
			}
			var b bytes.Buffer
			if err := dither.WriteTo(t.Context(), r, &b, "x.csv"); err != nil {
				t.Error(err)
			}
			sums[k] = b.String()
		})
	}
	wg.Wait()
	for _, s := range sums {
		if s != sums[0] || s == "" {
			t.Error("releases by one seed at the same time differ")
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dither.Protect(ended, d); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A release that was made elsewhere has the same measures and the same verdict, figure for figure, by the library and
// by the command.
func TestReleasesAreEvaluatedAsFiles(t *testing.T) {
	long.Only(t, "all measures of two releases, twice")
	ctx := t.Context()
	for path, class := range five(t) {
		name, dir := filepath.Base(path), t.TempDir()
		if name != "few.csv" && name != "visits.csv" {
			continue // all measures of the others take minutes
		}
		seed, out := rng.SeedOf([32]byte{7}), filepath.Join(dir, "out.csv")
		seedFile, rules := filepath.Join(dir, "seed"), filepath.Join(dir, "policy.yaml")
		// An attack does not take this measure, so it does not judge its threshold.
		pol := "version: 1\nclass: " + class + "\nthresholds:\n  - {measure: accuracy, min: 0}\n"
		for file, text := range map[string]string{seedFile: seed.Reveal(), rules: pol} {
			must.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		}
		said := must.Get(policy.Parse(rules, []byte(pol)))(t)
		from := desk.Source{Path: path, Policy: rules}
		d := &desk.Desk{}
		made := desk.ProtectRequest{
			Source:   from.Saying(policy.Policy{Limits: "none", KeepOrder: true}),
			Release:  out,
			SeedFile: seedFile,
		}
		must.Get(d.Protect(ctx, made))(t)
		want, _ := d.Evaluate(ctx, desk.EvaluateRequest{Source: from, Released: out, SeedFile: seedFile})
		if want == nil {
			t.Fatalf("%s: the command evaluates nothing", name)
		}
		original := must.Get(dither.Open(ctx, dither.File(path), said))(t)
		release := must.Get(original.OpenRelease(ctx, dither.File(out)))(t)
		got, err := dither.Evaluate(ctx, original, release, dither.Seed(seed))
		must.NoError(t, err)
		if a, b := figures(t, want.Outcome.Verdict), figures(t, got.Verdict); a != b {
			t.Errorf("%s: by the command\n%s\nby the library\n%s", name, a, b)
		}
		scores := func(list []study.Measured) (out []string) {
			for _, m := range list {
				out = append(out, fmt.Sprint(m.Name, m.Intruder, m.Value.Score, m.Value.Lo, m.Value.Hi, m.Err))
			}
			return out
		}
		if a, b := scores(want.Outcome.Measures), scores(got.Measures); !slices.Equal(a, b) {
			t.Errorf("%s: by the command\n%q\nby the library\n%q", name, a, b)
		}
		raid, _ := d.Attack(ctx,
			desk.AttackRequest{EvaluateRequest: desk.EvaluateRequest{Source: from, Released: out, SeedFile: seedFile}})
		if raid == nil {
			t.Fatalf("%s: the command attacks nothing", name)
		}
		if got, err = dither.Attack(ctx, original, release, dither.Seed(seed)); err != nil {
			t.Fatal(err)
		}
		if a, b := figures(t, raid.Outcome.Verdict), figures(t, got.Verdict); a != b {
			t.Errorf("%s: attacked by the command\n%s\nby the library\n%s", name, a, b)
		}
	}
}
