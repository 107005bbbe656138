package within_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/mdav"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/recoding"
	"github.com/dither-data/dither/protect/sample"
	"github.com/dither-data/dither/protect/swapping"
	"github.com/dither-data/dither/protect/within"
	"github.com/dither-data/dither/table"
)

// The techniques that policies run inside segments.
var inside = map[string]protect.Method{
	"gadp":      gadp.GADP,
	"mdav":      mdav.MDAV,
	"pram":      randomisedresponse.PRAM,
	"rankswap":  swapping.Rank,
	"shuffle":   gadp.Shuffle,
	"framework": framework.Framework,
}

func TestConformance(t *testing.T) {
	for name, m := range inside {
		t.Run(name, func(t *testing.T) {
			protecttest.Run(
				t,
				within.Of(m),
				protecttest.Options{
					Set:      map[string]string{"within.minLeaf": "40"},
					Drawless: name == "mdav",
					Alike:    protecttest.EachColumn,
					Joint:    name == "gadp" || name == "shuffle",
				},
			)
		})
	}
}

func fit(m protect.Method, tab *table.Table, set map[string]string) (*within.Plan, error) {
	q := within.Of(m).New()
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*within.Plan), nil
}

// Every record stays in its segment, whatever makes the segments and whatever the technique does outside of one.
func TestCertificate(t *testing.T) {
	tab := protecttest.Mixed(long.Of(1000, 2000))
	for by, set := range map[string]map[string]string{
		"tree":    {"within.minLeaf": "30"},
		"forest":  {"within.by": "forest", "within.trees": "2", "within.minLeaf": "400"},
		"columns": {"within.by": "columns", "within.columns": "sex"},
	} {
		for name, m := range inside {
			p, err := fit(m, tab, set)
			if err != nil {
				t.Errorf("%s inside %s: %v", name, by, err)
				continue
			}
			out, err := executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{Chunk: 50})
			if err != nil {
				t.Fatalf("%s inside %s: %v", name, by, err)
			}
			whole := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
			divided := must.Get(p.Divide(tab))(t)
			changed := 0
			for j := range tab.Width() {
				a, b, c := out.Column(j), whole.Column(j), tab.Column(j)
				if n := a.Differ(&b); n > 0 {
					t.Errorf("%s inside %s: %d values of %q depend on the chunks", name, by, n, a.Name)
				}
				changed += a.Differ(&c)
			}
			d, err := segments.Certify(context.Background(), divided, tab, out)
			if err != nil || d.Stayed != tab.Rows() || d.Segments < 2 || changed == 0 {
				t.Errorf("%s inside %s: %d of %d records stay in %d segments, %d values change: %v", name, by, d.Stayed,
					tab.Rows(), d.Segments, changed, err)
			}
		}
	}
}

// Segments that are too small for the technique are refused with their number and size, or protected together.
func TestSmall(t *testing.T) {
	tab := protecttest.Mixed(60)
	set := map[string]string{"k": "5", "within.by": "columns", "within.columns": "city,size"}
	_, err := fit(mdav.MDAV, tab, set)
	if err == nil || !strings.Contains(err.Error(), "segments, of") ||
		!strings.Contains(err.Error(), "within.small=together") {
		t.Errorf("small segments: %v", err)
	}
	set["within.small"] = "together"
	p := must.Get(fit(mdav.MDAV, tab, set))(t)
	if p.Rest == nil || p.Few == 0 || p.Left == 0 ||
		!strings.Contains(strings.Join(message.Written(p.Notes()), "\n"), "too small") {
		t.Errorf("%d segments of %d records are together; notes %q", p.Few, p.Left, p.Notes())
	}
	if _, err := p.Apply(tab, protecttest.Seed(1)); err != nil {
		t.Error(err)
	}
}

// The columns whose values make the segments stay as they are, and the plan does not say that it changes them; unless
// records of several segments are protected together.
func TestMakersStay(t *testing.T) {
	tab := protecttest.Mixed(600)
	set := map[string]string{"within.by": "columns", "within.columns": "sex", "within.least": "1"}
	p := must.Get(fit(randomisedresponse.PRAM, tab, set))(t)
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	j := tab.Find("sex")
	if slices.Contains(p.Changes(), "sex") || len(p.Changes()) == 0 || !slices.Equal(tab.Cat(j), out.Cat(j)) {
		t.Errorf("the plan changes %v", p.Changes())
	}
}

// An intersection or a combination that hardly anybody has is too small even for a technique that takes it.
func TestFewest(t *testing.T) {
	tab := protecttest.Mixed(60)
	for least, refused := range map[string]bool{"0": true, "1": false, "3": true} {
		_, err := fit(swapping.Rank, tab,
			map[string]string{"within.by": "columns", "within.columns": "city,size,sex", "within.least": least})
		if (err != nil) != refused {
			t.Errorf("least %s: %v", least, err)
		}
	}
}

// A leaf of a tree that has too few records joins its neighbour, so all leaves have enough.
func TestLeast(t *testing.T) {
	p, err := fit(mdav.MDAV, protecttest.Mixed(300), map[string]string{"within.minLeaf": "2", "within.least": "25"})
	must.NoError(t, err)
	for _, n := range p.Sizes {
		if n < 25 && len(p.Sizes) > 1 {
			t.Errorf("a segment has %d records, expected 25", n)
		}
	}
}

func TestRefuses(t *testing.T) {
	tab := protecttest.Mixed(200)
	for _, c := range []struct {
		m    protect.Method
		set  map[string]string
		want string
	}{
		{recoding.FullDomain, map[string]string{"within.minLeaf": "50"}, "works on whole columns"},
		{mdav.MDAV, map[string]string{"within.by": "columns"}, `"within.columns"`},
		{mdav.MDAV, map[string]string{"within.by": "columns", "within.columns": "age"}, "categorical"},
		{mdav.MDAV, map[string]string{"within.columns": "nobody"}, `no column "nobody"`},
	} {
		if _, err := fit(c.m, tab, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, expected %q", c.m.Name, c.set, err, c.want)
		}
	}
	p, err := fit(sample.Method, tab, map[string]string{"within.minLeaf": "50"})
	if err == nil {
		_, err = p.Apply(tab, protecttest.Seed(1))
	}
	if err == nil || !strings.Contains(err.Error(), "fewer records") {
		t.Errorf("a sample inside segments: %v", err)
	}
}

// A category that its segment did not have when the plan was fitted, and a segment that held nobody, are errors that
// show no value.
func TestOtherRecords(t *testing.T) {
	tab := protecttest.Mixed(400)
	p := must.Get(fit(swapping.Rank, tab.Slice(0, 4),
		map[string]string{"within.by": "columns", "within.columns": "city,sex", "within.least": "1"}))(t)
	if _, err := p.Apply(tab, protecttest.Seed(1)); err == nil ||
		!strings.Contains(err.Error(), "had none when the plan was fitted") {
		t.Errorf("new segments: %v", err)
	}
}

// What is released as it is in some segment is said of every such column, whatever figures its name holds, and of the
// small segments too.
func TestNotesOfEveryColumn(t *testing.T) {
	q1 := table.Column{Attribute: table.Attribute{Name: "q1", Kind: table.Numeric, Domain: table.Interval{Lo: 0, Hi: 99}}}
	q2, q3 := q1, q1
	q2.Name, q3.Name = "q2", "q3"
	by := table.Column{Attribute: table.Attribute{Name: "by", Kind: table.Categorical, Labels: []string{"a", "b", "c"}}}
	for i := range 83 {
		code := min(i/40, 2)
		one, two := float64(i), float64(i)
		if code == 0 {
			one = 7
		} else if code == 1 {
			two = 7
		}
		by.Cat = append(by.Cat, int32(code))
		q1.Num, q2.Num, q3.Num = append(q1.Num, one), append(q2.Num, two), append(q3.Num, float64(i*i%97))
		if code == 2 {
			q3.Num[i] = 7
		}
	}
	tab := must.Get(table.New(q1, q2, q3, by))(t)
	p, err := fit(additivenoise.Independent, tab, map[string]string{"within.by": "columns", "within.columns": "by"})
	must.NoError(t, err)
	if p.Rest, err = additivenoise.Independent.New().Fit(context.Background(), tab.Slice(80, 83),
		protecttest.Seed(1)); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(message.Written(p.Notes()), "\n")
	for _, want := range []string{`in 1 of 3 segments, such as: column "q1" has no two`, `in 1 of 3 segments, such as: column "q2" has no two`,
		`in the small segments together: column "q3" has no two`} {
		if !strings.Contains(all, want) {
			t.Errorf("the notes lack %q:\n%s", want, all)
		}
	}
}

func TestCheck(t *testing.T) {
	for want, spoil := range map[string]func(p *within.Plan){
		"expected":      func(p *within.Plan) { p.Method = "rpt" },
		"either":        func(p *within.Plan) { p.Columns = []int{4} },
		"there are":     func(p *within.Plan) { p.Sizes = p.Sizes[1:] },
		"less than one": func(p *within.Plan) { p.Sizes[0] = -5 },
		"less than no":  func(p *within.Plan) { p.Left = -1 },
		"ascending":     func(p *within.Plan) { p.Keys[0] = p.Keys[1] },
		"other schema":  func(p *within.Plan) { p.Attrs = p.Attrs[1:] },
		"categories": func(p *within.Plan) {
			p.Attrs = slices.Clone(p.Attrs)
			p.Attrs[3].Labels = append(slices.Clone(p.Attrs[3].Labels), "new")
		},
	} {
		p := must.Get(fit(gadp.GADP, protecttest.Mixed(300), map[string]string{"within.minLeaf": "60"}))(t)
		text := must.Get(json.Marshal(p))(t)
		back := within.Of(gadp.GADP).Plan().(*within.Plan)
		if err := json.Unmarshal(text, back); err != nil || back.Check() != nil {
			t.Fatalf("a sound plan: %v, %v", err, back.Check())
		}
		spoil(back)
		if err := back.Check(); err == nil {
			t.Errorf("%s: the plan is accepted", want)
		}
	}
	for _, text := range []string{`{"plans":[{"nothing":1}]}`, `{"unknown":1}`, `{"rest":{"x":1}}`} {
		if err := json.Unmarshal([]byte(text), within.Of(gadp.GADP).Plan()); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, within.Of(swapping.Rank), protecttest.Options{Set: map[string]string{"within.minLeaf": "20"}})
}
