package uncertainty

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func reidentificationTake(
	t *testing.T,
	r *measure.Release,
	set map[string]string,
) (measure.Value, ReidentificationDetail) {
	t.Helper()
	m := Reidentification.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(ReidentificationDetail)
}

// TestBothEnds: the original itself has entropy 0 for who knows a unique value, RNAT nearly the largest for who knows a
// number it perturbs, and the Framework lies between.
func TestReidentificationBothEnds(t *testing.T) {
	tab := protecttest.Mixed(300)
	income := &intruder.Intruder{Name: "knows the income", Knows: []string{"income"}}
	worst, d := reidentificationTake(t, (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(income),
		nil)
	if worst.Score > 0.05 || *d.Found < 0.95 || d.Secure {
		t.Errorf("the original has %v bits, %v found", worst.Score, *d.Found)
	}
	best, d := reidentificationTake(t, protecttest.Released(t, tab, rnat.New()).Against(income), nil)
	if math.Log2(300)-best.Score > 1e-3 || *d.Found > 0.1 || !d.Secure {
		t.Errorf("uniform noise has %v bits, %v found", best.Score, *d.Found)
	}
	middle, _ := reidentificationTake(t, protecttest.Released(t, tab, framework.NewFramework()), nil)
	if middle.Score < 1 || middle.Score > math.Log2(300)-0.5 {
		t.Errorf("the Framework has %v bits", middle.Score)
	}
}

// TestByHand: of four records two look alike to the intruder, who does not know the noise to be none.
func TestReidentificationByHand(t *testing.T) {
	id := table.NumColumn("id", 1, []float64{1, 2, 2, 3})
	tab := tabletest.Of(t, id, table.CatColumn("sex", []string{"f", "m"}, []int32{0, 1, 0, 1}))
	r := (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(
		&intruder.Intruder{Name: "one", Knows: []string{"id"}},
	)
	v, d := reidentificationTake(t, r, map[string]string{"threshold": "0.5", "v": "0.5"})
	if v.Score != 0.5 || v.Lo != 0.5 || v.Hi != 0.5 || d.SD != 0.5 || d.Below != 0.5 || !d.Secure || *d.Found != 0.75 ||
		*d.OwnMean != 0.75 {
		t.Errorf("%+v", d)
	}
	if got := d.Records(); got[0] != 1 || got[1] != 0.5 || got[2] != 0.5 || got[3] != 1 {
		t.Errorf("records %v", got)
	}
	if row, p, own := d.Believed(); row != 0 || own != 0 || len(p) != 4 || p[0] != 1 || p[1] != 0 {
		t.Errorf("row %d is believed to be %v, own %d", row, p, own)
	}
	want := "Looking for a person, this intruder is on average as uncertain as choosing among 1.4 equally " +
		"likely records of 4; " +
		"50 % of the people are below 0.5 bits. The likeliest record is the right one for 75 % of them; guessing would " +
		"find one in 4."
	if d.Sentence().String() != want {
		t.Errorf("sentence %q", d.Sentence().String())
	}
	text, err := json.Marshal(v)
	if err != nil || strings.Contains(string(text), "Rows") || strings.Contains(string(text), `"H"`) {
		t.Errorf("JSON %s, error %v", text, err)
	}
}

// TestSuspected: what is believed of one person is what the measure judges all by: it has the doubt, the own record and
// the likeliest one in it.
func TestSuspected(t *testing.T) {
	r := protecttest.Released(t, protecttest.Mixed(150), framework.NewFramework())
	_, d := reidentificationTake(t, r, nil)
	m := Reidentification.New().(*ReidentificationMeter)
	for _, row := range []int{0, 77, 149} {
		p := must.Get(m.Suspected(context.Background(), r, row))(t)
		sum, doubt, best := 0.0, 0.0, 0.0
		for _, v := range p {
			if sum, best = sum+v, max(best, v); v > 0 {
				doubt -= v * math.Log2(v)
			}
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(doubt-d.H[row]) > 1e-9 || best != d.Best[row] || p[row] != d.Own[row] {
			t.Errorf("row %d: sum %v, %v bits, best %v, own %v; expected 1, %v, %v, %v", row, sum, doubt, best, p[row],
				d.H[row], d.Best[row], d.Own[row])
		}
	}
	for _, row := range []int{-1, 150} {
		if _, err := m.Suspected(context.Background(), r, row); err == nil {
			t.Errorf("row %d is accepted", row)
		}
	}
}

// TestUnpaired judges by the likeliest record.
func TestUnpaired(t *testing.T) {
	r := protecttest.Released(t, protecttest.Mixed(200), framework.NewFramework())
	r.Paired, r.Released = false, r.Released.Slice(50, 200)
	v, d := reidentificationTake(t, r, nil)
	if d.Found != nil || len(d.Records()) != 200 || d.Records()[3] != d.Best[3] ||
		strings.Contains(d.Sentence().String(), "right one") ||
		v.Score <= 0 {
		t.Errorf("%+v", d)
	}
}

// TestSampled: above the parameter pairs the score is that of a sample, and the interval holds the exact one here.
func TestSampled(t *testing.T) {
	r := protecttest.Released(t, protecttest.Mixed(400), framework.NewFramework())
	exact, _ := reidentificationTake(t, r, nil)
	v, d := reidentificationTake(t, r, map[string]string{"pairs": "60000"})
	if !(v.Lo < v.Score && v.Score < v.Hi) || exact.Score < v.Lo || exact.Score > v.Hi || len(d.H) != 150 {
		t.Errorf("%d targets: %v in %v to %v, exactly %v", len(d.H), v.Score, v.Lo, v.Hi, exact.Score)
	}
	judged := 0
	for _, risk := range d.Records() {
		if risk == risk {
			judged++
		}
	}
	if judged != 150 || !strings.Contains(strings.Join(message.Written(v.Notes), "; "), "a sample of 150 of 400 people") {
		t.Errorf("%d judged, notes %q", judged, v.Notes)
	}
}

// TestOutsider: the less likely it is that a person is in the file, the lower every probability; the doubt about the
// record does not fall.
func TestReidentificationOutsider(t *testing.T) {
	r := protecttest.Released(t, protecttest.Mixed(200), framework.NewFramework())
	in, _ := reidentificationTake(t, r, nil)
	for _, membership := range []string{"0.9", "0.1", "0.001"} {
		out, d := reidentificationTake(t,
			r.Against(&intruder.Intruder{Name: "outsider", Knows: []string{intruder.All}, Outsider: true}),
			map[string]string{"membership": membership})
		p, err := strconv.ParseFloat(membership, 64)
		if err != nil || math.Abs(out.Score-in.Score) > 1e-9 || math.Abs(d.NotInFile()-(1-p)) > 1e-12 || *d.OwnMean > p {
			t.Errorf("membership %s: %v bits, inside %v; not in the file %v, own record %v", membership, out.Score, in.Score,
				d.NotInFile(), *d.OwnMean)
		}
		if text := d.Sentence().String(); !strings.Contains(text, "a person of the file") ||
			!strings.Contains(text, "to a person's being in the file") {
			t.Errorf("sentence %q", text)
		}
	}
}

// TestPriorOfSample: who does not know who is in the file reckons with the population: one half where nothing tells,
// the share that weights say, that of a population that was named; what was set wins over all.
func TestPriorOfSample(t *testing.T) {
	tab := protecttest.Mixed(100).Select(0, 1)
	w := table.NumColumn("w", 1, slices.Repeat([]float64{20}, 100))
	w.Role = table.Weight
	weighed := tabletest.Of(t, append(tab.Columns(), w)...)
	who := &intruder.Intruder{Name: "outsider", Knows: []string{tab.Attr(0).Name}, Outsider: true}
	for name, c := range map[string]struct {
		t          *table.Table
		population float64
		set        map[string]string
		inside     float64
	}{
		"nothing":    {tab, 0, nil, 0.5},
		"weights":    {weighed, 0, nil, 0.05},
		"population": {tab, 1000, nil, 0.1},
		"set":        {weighed, 0, map[string]string{"membership": "0.5"}, 0.5},
	} {
		r := &measure.Release{Original: c.t, Released: c.t, Paired: true,
			Background: measure.Background{Population: c.population}}
		_, d := reidentificationTake(t, r.Against(who), c.set)
		if math.Abs(1-d.NotInFile()-c.inside) > 1e-12 {
			t.Errorf("%s: in the file by %v, expected %v", name, 1-d.NotInFile(), c.inside)
		}
	}
}

// One record is told apart from nobody; no records are nothing to measure.
func TestReidentificationOfFew(t *testing.T) {
	for rows, want := range []bool{false, true} {
		tab := protecttest.Mixed(300).Slice(0, rows)
		r := &measure.Release{Original: tab, Released: tab, Paired: true}
		v, err := Reidentification.New().Measure(context.Background(), r, rng.Source{})
		if (err == nil) != want || v.Score != 0 {
			t.Errorf("%d records: %v bits, error %v", rows, v.Score, err)
		}
	}
}
