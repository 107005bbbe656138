package execute_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// visits is a table of 300 people with 6 records each, in no order: age is one in all of a person's, ward another one
// in every third. Patient tells the people apart.
func visits() (t *table.Table, patient table.Column) {
	const people, each = 300, 6
	r := rand.New(rand.NewPCG(1, 2))
	var age, ward, who []float64
	for _, k := range r.Perm(people * each) {
		p := k / each
		who = append(who, float64(1000+p))
		age = append(age, float64(20+p*7%60))
		ward = append(ward, float64((p+k%each/3)%9))
	}
	t = tabletest.Must(table.NumColumn("age", 1, age), table.NumColumn("ward", 1, ward))
	return t, table.NumColumn("patient", 1, who)
}

// numbered numbers the people by row.
func numbered(patient table.Column) []int32 {
	out := make([]int32, patient.Len())
	for i, v := range patient.Num {
		out[i] = int32(v) - 1000
	}
	return out
}

// gain returns by how much the mean of a person's records is nearer to the age of all of them than one record is: the
// mean squared error of the mean, as a share of that of a record. It is 1 where nothing is gained.
func gain(tab, released *table.Table, of []int32) float64 {
	sum, n := map[int32]float64{}, map[int32]float64{}
	was, is := tab.Num(0), released.Num(0)
	for i, p := range of {
		sum[p] += is[i]
		n[p]++
	}
	mean, single := 0.0, 0.0
	for i, p := range of {
		single += (is[i] - was[i]) * (is[i] - was[i])
		d := sum[p]/n[p] - was[i]
		mean += d * d
	}
	return mean / single
}

// Where it is told whose the records are, by the table or by the people who recur, the mean of a person's records tells
// no more of the age than one record does. Where nothing is told it tells far more: the attack has power.
func TestAverage(t *testing.T) {
	tab, patient := visits()
	of := numbered(patient)
	p := fitted(t, method(t, "rnat"), tab, nil)
	for name, c := range map[string]struct {
		tab   *table.Table
		recur *table.Column
		told  bool
	}{
		"nothing is told":  {tab, nil, false},
		"the table tells":  {tab.Owned(of), nil, true},
		"the people recur": {tab, &patient, true},
	} {
		opt := execute.Options{KeepOrder: true, Recur: c.recur}
		r := must.Get(execute.Plan(context.Background(), p, c.tab, rng.New([32]byte{3}), opt))(t)
		if g := gain(tab, r.Table, of); c.told && g < 0.999 || !c.told && g > 0.75 {
			t.Errorf("%s: the error of the mean is %v of that of a record", name, g)
		}
		drawn, open := strings.Join(r.Notes, "\n"), fmt.Sprint(r.OfPeople)
		if got := strings.Contains(drawn, "300 people have several records"); got != c.told {
			t.Errorf("%s: the notes are %q", name, drawn)
		}
		if got := strings.Contains(open, "where values differ") && strings.HasSuffix(open, "in ward}]"); got != c.told {
			t.Errorf("%s: what is left open is %q", name, open)
		}
	}
}

// A column of the table itself that tells persons apart says whose the records are.
func TestPersonColumn(t *testing.T) {
	tab, patient := visits()
	of := numbered(patient)
	p := &moved{Attrs: tab.Attrs(), Steps: 5}
	patient.Role = table.Person
	tab = tabletest.Must(append(tab.Columns(), patient)...)
	if g := gain(tab, inOrder(t, p, tab, 3), of); g < 0.999 {
		t.Errorf("the error of the mean is %v of that of a record", g)
	}
}

// moved moves the first column by up to so many steps, and leaves out the records after the first Most, if any.
type moved struct {
	Attrs []table.Attribute
	Steps int
	Most  int
}

func (p *moved) Schema() []table.Attribute { return p.Attrs }
func (p *moved) Changes() []string         { return []string{p.Attrs[0].Name} }
func (p *moved) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	s := src.Stream()
	out := slices.Clone(chunk.Num(0))
	for i := range out {
		out[i] += float64(rng.Below(s.At(uint64(chunk.ID(i))).A, 2*p.Steps+1) - p.Steps)
	}
	chunk = chunk.WithNum(0, out)
	if p.Most > 0 {
		chunk = chunk.Slice(0, p.Most)
	}
	return chunk, nil
}

// A technique that leaves out records draws for each of the others, and it is said what that leaves open.
func TestLeftOut(t *testing.T) {
	tab, patient := visits()
	p := &moved{Attrs: tab.Attrs(), Steps: 5, Most: 1000}
	r, err := execute.Plan(context.Background(), p, tab.Owned(numbered(patient)), rng.New([32]byte{3}), execute.Options{})
	must.NoError(t, err)
	if r.Table.Rows() != 1000 || len(r.OfPeople) != 1 || !strings.Contains(r.OfPeople[0].More, "leaves out records") {
		t.Errorf("%d records; what is left open is %q", r.Table.Rows(), r.OfPeople)
	}
}

// secretive is a plan that writes nothing of itself.
type secretive struct{ moved }

func (p *secretive) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// A plan that writes nothing of itself is refused, since its noise would be that of every other such plan; so is one
// that counts people where nobody says whose the records are, and a column of people who recur that does not name
// everybody.
func TestRefused(t *testing.T) {
	tab, patient := visits()
	unnamed, short := patient.Blank([]int{1, 2}), patient.Gather([]int{0, 1, 2})
	mean := fitted(t, method(t, "mdav"), tab.Owned(numbered(patient)), map[string]string{"columns": "age"})
	noise := fitted(t, method(t, "rnat"), tab, nil)
	for want, c := range map[string]struct {
		plan protect.Plan
		opt  execute.Options
	}{
		"writes nothing of itself":                        {&secretive{moved{Attrs: tab.Attrs()}}, execute.Options{}},
		"the plan counts people":                          {mean, execute.Options{}},
		`column "patient" is missing in 2 records`:        {noise, execute.Options{Recur: &unnamed}},
		`column "patient" has 3 values for 1,800 records`: {noise, execute.Options{Recur: &short}},
	} {
		_, err := execute.Plan(context.Background(), c.plan, tab, rng.New([32]byte{3}), c.opt)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; expected %q", err, want)
		}
	}
	opt := execute.Options{OneEach: true}
	if _, err := execute.Plan(context.Background(), mean, tab, rng.New([32]byte{3}), opt); err != nil {
		t.Errorf("every record is a person's: %v", err)
	}
}

// The release does not depend on chunks and cores, nor on whether the plan was written and read in between.
func TestAlike(t *testing.T) {
	tab, patient := visits()
	tab = tab.Owned(numbered(patient))
	p := fitted(t, method(t, "rnat"), tab, nil)
	text := must.Get(json.Marshal(p))(t)
	back := method(t, "rnat").Plan()
	must.NoError(t, json.Unmarshal(text, back))
	var first string
	for _, opt := range []protect.Options{{}, {Chunk: 7, Workers: 3}} {
		for _, plan := range []protect.Plan{p, back} {
			r := must.Get(execute.Plan(context.Background(), plan, tab, rng.New([32]byte{3}), execute.Options{Options: opt}))(t)
			shown := fmt.Sprint(r.Table.Num(0), r.Table.Num(1))
			if first == "" {
				first = shown
			}
			if shown != first {
				t.Errorf("%+v: another release", opt)
			}
		}
	}
}
