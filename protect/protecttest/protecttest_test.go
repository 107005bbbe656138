package protecttest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// honest redraws column "score" of the mixed table uniformly on 1..10. Every fault below breaks one promise of it.
type honest struct {
	fault string
	Reach int
}

func (q *honest) Params() param.Set {
	p := param.Int(&q.Reach, "reach", 10, 1, 10, "", "largest value")
	if q.fault == "no help" {
		p.Help = ""
	}
	set := param.Set{p}
	if q.fault == "declared twice" {
		set = append(set, p)
	}
	if q.fault == "default refused" {
		set[0].Default = 11
	}
	if q.fault == "bound not kept" {
		set[0] = param.Int(&q.Reach, "reach", 10, 1, 1000, "", "largest value")
		top := 10.0
		set[0].Max = &top
	}
	return set
}

func (q *honest) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if q.fault != "fit goes on" && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if q.fault == "fit writes" && t.Rows() > 0 {
		t.Num(0)[0]++
	}
	fault, meet := strings.CutSuffix(q.fault, ", records meet")
	p := &plan{Attrs: t.Attrs(), Reach: q.Reach, Fault: fault}
	if q.fault == "hidden state" {
		p.hidden = 1
	}
	if meet {
		return &meeting{plan: p}, nil
	}
	return p, nil
}

// meeting is a plan whose records must meet.
type meeting struct {
	protect.OneGroup
	*plan
}

type plan struct {
	Attrs  []table.Attribute
	Reach  int
	Fault  string
	hidden float64
}

func (p *plan) Schema() []table.Attribute {
	if p.Fault == "wrong schema" {
		return p.Attrs[1:]
	}
	return p.Attrs
}

func (p *plan) Changes() []string {
	if !slices.ContainsFunc(p.Attrs, func(a table.Attribute) bool { return a.Name == "score" }) {
		return nil
	}
	if p.Fault == "changes out of order" {
		return []string{"score", "age"}
	}
	return []string{"score"}
}

func (p *plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	j := chunk.Find("score")
	if j < 0 {
		return chunk, nil
	}
	if p.Fault == "seed ignored" {
		src = Seed(9)
	}
	out := make([]float64, chunk.Rows())
	for i := range out {
		id := uint64(chunk.ID(i))
		switch p.Fault {
		case "by row":
			id = uint64(i)
		case "by chunk":
			id += uint64(chunk.Rows()) << 32
		}
		draw := src.Stream().At(id)
		if out[i] = float64(1+rng.Below(draw.A, p.Reach)) + p.hidden; p.Fault == "law flat, values half kept" &&
			draw.B%2 == 0 {
			out[i] = chunk.Num(j)[i]
		}
		if p.hidden > 0 && out[i] > 10 {
			out[i] = 1
		}
	}
	p.spoil(chunk, out, j)
	chunk = chunk.WithNum(j, out)
	switch p.Fault {
	case "undeclared change":
		chunk = chunk.WithNum(0, make([]float64, chunk.Rows()))
	case "missing filled":
		k := chunk.Find("hours")
		chunk = chunk.WithNum(k, make([]float64, chunk.Rows()))
	case "identity lost":
		rows := make([]int, chunk.Rows())
		for i := range rows {
			rows[i] = len(rows) - 1 - i
		}
		chunk = chunk.Gather(rows)
	case "rows lost":
		chunk = chunk.Slice(0, chunk.Rows()/2)
	}
	return chunk, nil
}

// Law is that of the score: uniform on 1..Reach, whatever it was.
func (p *plan) Law(j int) (noisemodel.Column, bool) {
	k, ofScore := kernel{reach: p.Reach, fault: p.Fault}, p.Attrs[j].Name == "score"
	switch p.Fault {
	case "law of what stays":
		return noisemodel.Everywhere(k), true
	case "no law of what changes":
		return nil, false
	case "laws differ":
		return func(*segment.Segment, *table.Table, int) noisemodel.Kernel {
			k.salt = rand.Int()
			return k
		}, ofScore
	case "laws not comparable":
		return noisemodel.Everywhere(incomparable{}), ofScore
	}
	return noisemodel.Everywhere(k), ofScore
}

type kernel struct {
	reach, salt int
	fault       string
}

func (l kernel) P(x, y float64) float64 {
	switch inside := y >= 1 && y <= float64(l.reach); {
	case strings.HasPrefix(l.fault, "law flat"):
		return map[bool]float64{true: 1}[y == y]
	case l.fault == "law sums to a half" && inside:
		return map[bool]float64{true: 0.1, false: 0.4 / 9}[x == y]
	case l.fault == "law wrong" && inside:
		kept := long.Of(0.7, 0.2) // so wrong that as many draws as there are tell
		return map[bool]float64{true: kept, false: (1 - kept) / 9}[x == y]
	case l.fault == "law without a value" && y == 3:
		return 0
	case l.fault == "law without a value" && inside:
		return 1.0 / 9
	case l.fault == "law negative" && y != y:
		return -1
	case l.fault == "law off the domain" && !inside:
		return 1e-9
	case inside:
		return 1 / float64(l.reach)
	}
	return 0
}

type incomparable []int

func (incomparable) P(_, _ float64) float64 { return 1 }

func (p *plan) spoil(chunk *table.Table, out []float64, j int) {
	for i := range out {
		switch p.Fault {
		case "no noise":
			out[i] = chunk.Num(j)[i]
		case "outside the domain":
			out[i] += 10
		case "off the grid":
			out[i] = min(out[i]+0.5, 9.5)
		case "made missing":
			out[i] = math.NaN()
		case "not from the seed":
			out[i] = float64(1 + rand.IntN(10))
		case "apply writes":
			chunk.Num(0)[i] = 50
		}
	}
}

func method(fault string) protect.Method {
	m := protect.Method{
		Card: card.Card{Name: "honest", Title: "Honest", Summary: "s", Paper: "p", Needs: "n", Changes: "c", Preserves: "p",
			Biases: "b", Exposes: "e", Missing: "m", Cost: "O(n)"},
		Purpose: protect.NoiseNumbers,
		New:     func() protect.Technique { return &honest{fault: fault, Reach: 10} },
		Plan:    func() protect.Plan { return &plan{} },
		Claims:  []protect.Claim{protect.HasNoiseModel},
	}
	switch fault {
	case "card":
		m.Exposes = ""
	case "claims too little":
		m.Claims = nil
	case "claims too much":
		m.Claims = []protect.Claim{protect.HasNoiseModel, protect.Groups}
	case "step claims too much":
		m.Steps = []protect.Step{{Plan: m.Plan}}
	case "fits another plan":
		m.Plan = func() protect.Plan { return &struct{ plan }{} }
	}
	return m
}

func TestHonestTechniquePasses(t *testing.T) { Run(t, method(""), Options{}) }

// A right law passes where records meet too, and so does one that tells nothing and is known up to a factor.
func TestHonestLawsPass(t *testing.T) {
	for _, law := range []string{"", ", records meet", "law flat", "law flat, records meet"} {
		if err := (&suite{m: method(law)}).kernels(); err != nil {
			t.Errorf("%q: %v", law, err)
		}
	}
}

func TestEveryFaultIsFound(t *testing.T) {
	for fault, where := range map[string]string{
		"card":                 "card",
		"claims too little":    "claims",
		"claims too much":      "claims",
		"step claims too much": "claims",
		"fits another plan":    "claims",
		"no help":              "card",
		"declared twice":       "card",
		"default refused":      "parameters",
		"bound not kept":       "parameters",
		"fit writes":           "release",
		"apply writes":         "release",
		"no noise":             "release",
		"undeclared change":    "release",
		"outside the domain":   "release",
		"off the grid":         "release",
		"made missing":         "release",
		"missing filled":       "release",
		"identity lost":        "release",
		"rows lost":            "release",
		"changes out of order": "release",
		"wrong schema":         "release",
		"seed ignored":         "deterministic",
		"not from the seed":    "deterministic",
		"hidden state":         "plan is data",
		"by row":               "order-free",
		"by chunk":             "chunk-free",
		"fit goes on":          "cancellable",
		"law wrong":            "laws of the noise",
		"law without a value":  "laws of the noise",
		"law sums to a half":   "laws of the noise",

		"law sums to a half, records meet":         "laws of the noise",
		"law wrong, records meet":                  "laws of the noise",
		"law flat, values half kept":               "laws of the noise",
		"law flat, values half kept, records meet": "laws of the noise",

		"law negative":           "laws of the noise",
		"law off the domain":     "laws of the noise",
		"law of what stays":      "laws of the noise",
		"no law of what changes": "laws of the noise",
		"laws differ":            "laws of the noise",
		"laws not comparable":    "laws of the noise",
	} {
		found := ""
		s := &suite{m: method(fault)}
		for _, c := range checks {
			if c.name != where {
				continue
			}
			if err := c.run(s); err != nil {
				found = err.Error()
			}
		}
		if found == "" || strings.Contains(found, "\n") {
			t.Errorf("%s: the check %q does not find it: %q", fault, where, found)
		}
	}
}

// The tree made by hand sends every record to a leaf, and has all kinds of tests.
func TestTree(t *testing.T) {
	tab := Mixed(400)
	tr := Tree(tab)
	leaf := make([]int32, tab.Rows())
	tr.Route(tab, leaf)
	seen := make(map[int32]int)
	for _, l := range leaf {
		seen[l]++
	}
	if len(seen) != 4 || len(tr.Leaves()) != 4 {
		t.Errorf("records by leaf: %v of %d leaves", seen, len(tr.Leaves()))
	}
	if tr := Tree(tab.Select(0, 1)); tr != nil {
		t.Error("a table without a class has a tree")
	}
}
