package desk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// panel writes persons with several visits each: nobody shares birth year, postcode and sex with anybody.
func (f folder) panel(t *testing.T, id func(person int) string, persons, visits int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var rows []string
	for p := range persons {
		who := fmt.Sprintf("%s,%d,%d,%s", id(p), 1930+p%70, 10000+p/2, []string{"f", "m"}[p%2])
		for range visits {
			rows = append(rows, fmt.Sprintf("%s,%.1f,%s\n", who, 70+60*r.Float64(), []string{"yes", "no"}[r.IntN(2)]))
		}
	}
	r.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	var b strings.Builder
	b.WriteString("patient_id,birth_year,postcode,sex,glucose,readmitted\n")
	for _, w := range rows {
		b.WriteString(w)
	}
	return f.put(t, "panel.csv", b.String())
}

// The records of one person are no crowd: a panel does not go out as it is, whether its column of people was declared
// or not.
func TestPanelIsNotReleased(t *testing.T) {
	f := newFolder(t)
	path := f.panel(t, func(p int) string { return fmt.Sprintf("P%04d", p) }, 60, 15)
	for _, method := range []string{"localsuppression", "kanonymise"}[:long.Of(1, 2)] {
		for _, roles := range []map[string]policy.Column{nil, {"patient_id": {Role: policy.Roles{"person", "identifier"}}},
			{"patient_id": {Role: policy.Roles{"identifier"}}}} {
			if roles != nil && !long.Enabled() {
				break
			}
			q := ProtectRequest{
				Source: Source{
					Path: path,
					Said: policy.Policy{Class: "readmitted", Columns: roles, Method: policy.Method{Name: method}},
				},
				Release: f.path("out.csv"),
			}
			p, err := (&Desk{}).Protect(context.Background(), q)
			if p == nil {
				t.Fatal(err)
			}
			if p.Broken != nil {
				continue
			}
			released, same := f.read(t, "out.csv"), 0
			for line := range strings.Lines(f.read(t, "panel.csv")) {
				if _, rest, _ := strings.Cut(line, ","); strings.Contains(released, rest) {
					same++
				}
			}
			if same > 90 {
				t.Errorf("%s, %v: %d of 900 records are released as they are", method, roles, same)
			}
			must.NoError(t, os.Remove(q.Release))
		}
	}
}

// A release that alters nothing is withheld, unless no limits are asked for, or the original meets all of them: then
// nothing had to change. One that is judged by some of the limits alone is not shown to.
func TestUnalteredIsWithheld(t *testing.T) {
	f := newFolder(t)
	var b strings.Builder
	b.WriteString("sex,town,y\n")
	for i := range 400 { // everybody is one of 100
		fmt.Fprintf(&b, "%s,%s,%s\n", []string{"f", "m"}[i%2], []string{"Ulm", "Bonn"}[i/2%2], []string{"yes", "no"}[i%3/2])
	}
	path := f.put(t, "crowd.csv", b.String())
	ask := func(limits string) *Protection {
		q := ProtectRequest{
			Source: Source{
				Path: path,
				Said: policy.Policy{Limits: limits, Class: "y", Method: policy.Method{Name: "kanonymise"}},
			},
			Release:   f.path("out.csv"),
			Overwrite: true,
			SeedFile:  f.fixedSeed(t), // some random orders leave the limit on them undecided
		}
		p, err := (&Desk{}).Protect(context.Background(), q)
		if p == nil {
			t.Fatal(err)
		}
		return p
	}
	p := ask("default")
	if v := p.Outcome.Verdict; p.Broken != nil || v.State != study.Meets || !v.Unchanged || p.Files.Release == "" {
		t.Errorf("%v %+v", p.Broken, v)
	}
	p = ask(f.put(t, "lone.yaml", "name: lone\nlimits: [{measure: kanonymity, min: 90}, {measure: found, max: 0.001}]\n"))
	if d := p.Outcome.Verdict.Broken(); p.Broken == nil || p.Files.Release != "" || !slices.ContainsFunc(d,
		func(d study.Demand) bool { return d.Measure == limit.Altered }) {
		t.Errorf("%v %+v", p.Broken, d)
	}
	if p := ask("none"); p.Broken != nil || p.Files.Release == "" {
		t.Error("it is withheld although no limits were asked for")
	}
	e, err := (&Desk{}).Evaluate(
		context.Background(),
		EvaluateRequest{Source: Source{Path: path, Said: policy.Policy{Class: "y"}}, Released: f.shuffled(t, "crowd.csv"),
			Unpaired: true, Measures: []string{"accuracy"}},
	)
	if e == nil || !strings.Contains(fmt.Sprint(err), "as it is in the original") {
		t.Errorf("in another order: %v, %v", err, e)
	}
}

// shuffled writes the records of a file in another order.
func (f folder) shuffled(t *testing.T, name string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(f.read(t, name)), "\n")
	rows := lines[1:]
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	return f.put(t, "shuffled.csv", strings.Join(lines, "\n")+"\n")
}
