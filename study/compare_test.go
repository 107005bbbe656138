package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// contest is a small comparison: two data sets, three settings, three measures of which one always fails.
func contest(t *testing.T) CompareRequest {
	t.Helper()
	spread, err := Grid(framework.Framework, []Axis{{"influential", []string{"paper"}}, {"spread", []string{"10", "40"}}})
	must.NoError(t, err)
	var data []DataSet
	for k, rows := range []int{60, 90} {
		d := generate.Patients(rows, rng.New([32]byte{byte(k)}))
		d = d.Select(d.Find("patient_id"), d.Find("age"), d.Find("region"), d.Find("readmitted"))
		a := *d.Attr(3)
		a.Role = table.Class
		data = append(data,
			DataSet{Name: fmt.Sprintf("patients %d", k), Table: d.WithAttr(3, a), Set: map[string]string{"minLeaf": "5"}})
	}
	return CompareRequest{
		Version: "test", Data: data, Folds: 3, Repeats: 2, Seed: rng.SeedOf([32]byte{5}),
		Settings: append(spread, Setting{Name: "rnat", Method: rnat.Method}),
		Measures: []Spec{{Measure: prediction.Accuracy}, {Measure: distributions.Bias}, {Measure: unlucky}},
	}
}

// unlucky is a measure that cannot be taken.
var unlucky = measure.Measure{Card: card.Card{Name: "unlucky"}, New: func() measure.Meter { return failing{} }}

func mustCompare(t *testing.T, q CompareRequest) *Comparison {
	t.Helper()
	return must.Get(Compare(context.Background(), q))(t)
}

// same compares all but the times.
var same = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Cell{}, "Seconds")}

// TestCompareTwin compares the engine with three loops that know nothing of workers, sharing or checkpoints.
func TestCompareTwin(t *testing.T) {
	q, ctx := contest(t), context.Background()
	got := mustCompare(t, q)
	at := 0
	for d, data := range q.Data {
		tab := WithoutIdentifiers(data.Table)
		fold := must.Get(folds.Deal(tab, q.Folds, rng.New(q.Seed).Fork("folds").Fork(data.Name)))(t)
		for s := 0; s <= len(q.Settings); s++ {
			means := make([]float64, q.Folds)
			for f := range q.Folds {
				train, hold := split(tab, fold, f)
				repeats := q.Repeats
				if s == 0 {
					repeats = 1
				}
				for k := 1; k <= repeats; k++ {
					src := (&runner{q: &q}).source(job{data: d, setting: s, fold: f + 1, repeat: k})
					r := &measure.Release{Original: train, Released: train, Paired: true, Holdout: hold}
					if s > 0 {
						set := map[string]string{}
						for k, v := range q.Settings[s-1].Set {
							set[k] = v
						}
						if q.Settings[s-1].Method.New().Params().Has("minLeaf") {
							set["minLeaf"] = "5"
						}
						p := must.Get(Protect(
							ctx,
							Request{
								KeepOrder: true,
								Table:     train,
								Method:    q.Settings[s-1].Method,
								Set:       set,
								Seed:      SeedOf(src.Fork("protect")),
							},
						))(t)
						r.Released = p.Released
					}
					ms := must.Get(Evaluate(ctx, r,
						[]Spec{{Measure: prediction.Accuracy, Set: map[string]string{"minLeaf": "5"}}, {Measure: distributions.Bias}},
						src.Fork("evaluate"), nil))(t)
					cell := got.Cells[at]
					at++
					if cell.Data != d || cell.Setting != s || cell.Fold != f+1 || cell.Repeat != k {
						t.Fatalf("cell %d is %+v", at-1, cell)
					}
					for m, v := range ms {
						want := Score{
							Score: v.Value.Score,
							Lo:    v.Value.Lo,
							Hi:    v.Value.Hi,
							Parts: v.Value.Parts,
							Notes: v.Value.Notes,
							Skip:  v.Skip,
							Err:   v.Err,
						}
						if diff := cmp.Diff(want, cell.Scores[m], same); diff != "" {
							t.Fatalf("cell %d, measure %d: %s", at-1, m, diff)
						}
					}
					means[f] += ms[0].Value.Score / float64(repeats)
				}
			}
			mean := (means[0] + means[1] + means[2]) / 3
			if sum := got.Summary(d, s, 0, ""); math.Abs(sum.Mean-mean) > 1e-9 {
				t.Errorf("data %d setting %d: mean %v, expected %v", d, s, sum.Mean, mean)
			}
		}
	}
	if at != len(got.Cells) {
		t.Errorf("%d cells, expected %d", len(got.Cells), at)
	}
}

// TestCompareIsIndependentOfWorkersAndCompany runs with one and three workers, and one setting alone.
func TestCompareIsIndependentOfWorkersAndCompany(t *testing.T) {
	q := contest(t)
	q.Workers = 1
	want := mustCompare(t, q)
	q.Workers = 3
	if diff := cmp.Diff(want, mustCompare(t, q), same); diff != "" {
		t.Errorf("three workers: %s", diff)
	}
	q.Settings, q.Data = q.Settings[2:], q.Data[1:]
	alone := mustCompare(t, q)
	if diff := cmp.Diff(want.Summary(1, 3, 0, "").Folds, alone.Summary(0, 1, 0, "").Folds); diff != "" {
		t.Errorf("a setting alone has other figures: %s", diff)
	}
}

// TestCompareResumes stops a comparison after every possible number of cells by an error of the sink, and at random
// ones by the end of the context, and goes on from the checkpoint, whose last line may be torn.
func TestCompareResumes(t *testing.T) {
	long.Only(t, "a comparison, stopped and resumed")
	q := contest(t)
	want := mustCompare(t, q)
	r := rand.New(rand.NewPCG(1, 1))
	full := errors.New("disk full")
	for stop := 0; stop < len(want.Cells); stop += 1 + r.IntN(4) {
		file := Cells.Header(q.Fingerprint())
		ctx, cancel := context.WithCancel(context.Background())
		n, byCancel := 0, r.IntN(2) == 0
		run := q
		run.Workers = 1 + r.IntN(2)
		run.Finished = func(c Cell) error {
			if n++; n > stop {
				if byCancel {
					cancel()
				}
				return full
			}
			line, err := EncodeCell(c)
			file = append(file, line...)
			return err
		}
		if _, err := Compare(ctx, run); !errors.Is(err, full) {
			t.Fatalf("stopped at %d: %v", stop, err)
		}
		cancel()
		file = append(file, `{"data":0,"sett`[:r.IntN(15)]...)
		cells, whole, err := DecodeCheckpoint(file, q.Fingerprint(), len(q.Measures))
		if err != nil || len(cells) != stop || whole > len(file) {
			t.Fatalf("%d cells of %d read, %v", len(cells), stop, err)
		}
		run = q
		run.Done = cells
		again := 0
		run.Finished = func(Cell) error { again++; return nil }
		if diff := cmp.Diff(want, mustCompare(t, run), same); diff != "" {
			t.Fatalf("resumed after %d cells: %s", stop, diff)
		}
		if again != len(want.Cells)-stop {
			t.Errorf("resumed after %d of %d cells, %d were run", stop, len(want.Cells), again)
		}
	}
}

// sometimes is a technique that cannot be fitted where the first record is an odd one.
type sometimes struct{}

func (sometimes) Params() param.Set { return nil }
func (sometimes) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if t.ID(0)%2 == 1 {
		return nil, errors.New("an odd table")
	}
	return rnat.Method.New().Fit(ctx, t, src)
}

func TestCompareRecordsErrors(t *testing.T) {
	q := contest(t)
	q.Settings = append(q.Settings, Setting{Name: "sometimes", Method: protect.Method{Card: card.Card{Name: "sometimes"},
		New: func() protect.Technique { return sometimes{} }}})
	q.Data, q.Folds = q.Data[:1], 2
	// record 0 is in one fold; the first record of the other training set is as the seed wants
	for seed := byte(0); ; seed++ {
		q.Seed = rng.SeedOf([32]byte{seed})
		c := mustCompare(t, q)
		failed := 0
		for _, cell := range c.Cells {
			if cell.Err != "" {
				failed++
				if cell.Setting != 4 || cell.Err != "an odd table" || cell.Scores != nil {
					t.Fatalf("%+v", cell)
				}
			}
		}
		if failed == 0 {
			continue
		}
		s := c.Summary(0, 4, 0, "")
		if s.Failed != 2 || s.Cells != 2 || math.IsNaN(s.Mean) || !math.IsNaN(s.SD) {
			t.Errorf("a fold of two failed: %+v", s)
		}
		if u := c.Summary(0, 1, 2, ""); u.Failed != 4 || u.Cells != 0 || !math.IsNaN(u.Mean) ||
			c.Cells[1].Scores[2].Err.String() != "no luck" {
			t.Errorf("a measure that always fails: %+v", u)
		}
		return
	}
}

func TestCompareRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*CompareRequest)
		want  string
	}{
		"no data":            {func(q *CompareRequest) { q.Data = nil }, "data set"},
		"no settings":        {func(q *CompareRequest) { q.Settings = nil }, "technique"},
		"no measures":        {func(q *CompareRequest) { q.Measures = nil }, "measure"},
		"one fold":           {func(q *CompareRequest) { q.Folds = 1 }, "1 folds"},
		"too many folds":     {func(q *CompareRequest) { q.Folds = 61 }, "patients 0: 61 folds"},
		"no repeats":         {func(q *CompareRequest) { q.Repeats = 0 }, "0 repeats"},
		"data set twice":     {func(q *CompareRequest) { q.Data[1].Name = q.Data[0].Name }, `"patients 0"`},
		"setting twice":      {func(q *CompareRequest) { q.Settings[1] = q.Settings[0] }, `"framework spread=10"`},
		"a setting original": {func(q *CompareRequest) { q.Settings[1].Name = OriginalSetting }, `"original"`},
		"measure twice":      {func(q *CompareRequest) { q.Measures[1] = q.Measures[0] }, "accuracy"},
		"bad parameter":      {func(q *CompareRequest) { q.Settings[2].Set = map[string]string{"sprad": "1"} }, `rnat: unknown parameter "sprad"`},
		"bad of a measure":   {func(q *CompareRequest) { q.Measures[1].Set = map[string]string{"x": "1"} }, `bias: unknown parameter "x"`},
		"bad shared":         {func(q *CompareRequest) { q.Data[1].Set = map[string]string{"minLeaf": "-1"} }, `parameter "minLeaf"`},
		"unused shared":      {func(q *CompareRequest) { q.Data[1].Set = map[string]string{"leaves": "1"} }, `"leaves"`},
		"foreign cells":      {func(q *CompareRequest) { q.Done = []Cell{{Data: 7}} }, "do not belong to this comparison"},
	} {
		q := contest(t)
		c.spoil(&q)
		if _, err := Compare(context.Background(), q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCompareDescribes(t *testing.T) {
	q := contest(t)
	q.Measures = append(q.Measures, Spec{Measure: prediction.Accuracy, Set: map[string]string{"minLeaf": "9"}})
	last := -1
	q.Progress = func(done, total int) {
		if done != last+1 || total != 2*3*(1+3*2) {
			t.Errorf("%d of %d cells are done after %d", done, total, last)
		}
		last = done
	}
	c := mustCompare(t, q)
	var names []string
	for _, s := range c.Settings {
		names = append(names, s.Name)
	}
	for _, m := range c.Measures {
		names = append(names, m.Label)
	}
	want := []string{"original", "framework spread=10", "framework spread=40", "rnat", "accuracy", "bias", "unlucky",
		"accuracy minLeaf=9"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if c.Settings[0].Method != nil || c.Settings[1].Varied["spread"] != "10" || len(c.Settings[1].Varied) != 1 ||
		!slices.Equal(c.Settings[1].Axes, []string{"spread"}) {
		t.Errorf("settings %+v", c.Settings)
	}
	if d := c.Data[1]; d.Class != "readmitted" || d.Classes != 2 || d.Records != 90 || d.Columns != 3 {
		t.Errorf("data %+v", d)
	}
	if q.Data[0].Table.Width() != 4 {
		t.Error("the request was changed")
	}
}

// classed is a table of a class column, -1 meaning missing.
func classed(codes []int32) *table.Table {
	c := table.CatColumn("class", []string{"a", "b", "c"}, codes)
	c.Role = table.Class
	return tabletest.Must(c)
}
