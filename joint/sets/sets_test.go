package sets

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cloudflare/circl/group"
	"github.com/cloudflare/circl/oprf"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

// people is a table of keys; "" is missing.
func people(names ...string) *table.Table {
	labels := distinctText(names)
	codes, rows := make([]int32, len(names)), make([]float64, len(names))
	for i, n := range names {
		codes[i], rows[i] = int32(slices.Index(labels, n)), float64(i)
	}
	t, err := table.New(table.CatColumn("id", labels, codes), table.NumColumn("row", 1, rows))
	if err != nil {
		panic(err)
	}
	return t
}

func distinctText(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return s == "" })
}

// situations are sets of three parties: overlapping ones with keys that occur twice and missing ones, an empty one,
// none at all, identical ones, disjoint ones, and some with fewer common keys than may be shown.
var situations = map[string][][]string{
	"overlap": {
		{"a", "b", "c", "d", "e", "f", "f", "", "x"}, {"f", "e", "d", "c", "b", "q"}, {"b", "c", "d", "e", "f", "x", "", "y"},
	},
	"empty":     {{}, {"a", "b"}, {"a"}},
	"none":      {{}, {}, {}},
	"one":       {{"a", "b"}, {"b", "c", "d"}, {"b"}},
	"four":      {{"a", "b", "c", "d", "x"}, {"d", "c", "b", "a", "y"}, {"a", "b", "c", "d", "z"}},
	"identical": {{"a", "b", "c", "d", "e", "f"}, {"c", "b", "a", "f", "e", "d"}, {"a", "b", "c", "d", "e", "f"}},
	"disjoint":  {{"a", "b"}, {"c"}, {"d", "e", "f", "g", "h", "i"}},
}

func TestConformance(t *testing.T) {
	cases := map[string][]jointtest.Case{}
	for name, sets := range situations {
		var tables []*table.Table
		for _, s := range sets {
			tables = append(tables, people(s...))
		}
		plan := joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"),
			Columns: []joint.Column{{Name: "id", Role: joint.Key}}}
		add := func(protocol string, want []*joint.Result, parameters map[string]string) {
			p := plan
			p.Parameters = parameters
			cases[protocol] = append(cases[protocol], jointtest.Case{
				Name: name, Plan: p, Tables: tables, Want: want, Plain: name != "overlap",
			})
		}
		common := distinctText(sets[0])
		all := []string{}
		for _, s := range sets {
			all = append(all, s...)
			common = slices.DeleteFunc(common, func(k string) bool { return !slices.Contains(s, k) })
		}
		count := joint.Figure{Name: "common keys", Value: any(int64(len(common)))}
		if len(common) < 5 {
			count.Value = joint.Withheld{Why: joint.BelowCell}
		}
		add("intersectionsize", []*joint.Result{{Figures: []joint.Figure{count}}}, nil)
		var kept []*joint.Result
		for k, tab := range tables {
			rows := []int{}
			for i, s := range sets[k] {
				if _, hidden := count.Value.(joint.Withheld); !hidden && slices.Contains(common, s) {
					rows = append(rows, i)
				}
			}
			kept = append(kept, &joint.Result{Figures: []joint.Figure{count}, Release: tab.Gather(rows)})
		}
		add("intersection", kept, nil)
		all = distinctText(all)
		union := joint.ResultTable{Name: "union", Columns: []string{"id"}}
		for _, k := range all {
			union.Rows = append(union.Rows, []any{k})
		}
		add("setunion", []*joint.Result{{Figures: []joint.Figure{{Name: "keys", Value: int64(len(all))}},
			Tables: []joint.ResultTable{union}}}, map[string]string{"size": "10"})
	}
	cases["intersectionsize"] = append(cases["intersectionsize"], jointtest.Case{
		Name: "padded", Plain: true,
		Tables: []*table.Table{people("a", "b", "c", "d", "e", "f"), people("f", "e", "d", "c", "b")},
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: []joint.Column{{Name: "id", Role: joint.Key}},
			Parameters: map[string]string{"size": "12"}},
		Want: []*joint.Result{{Figures: []joint.Figure{{Name: "common keys", Value: int64(5)}}}},
	})
	for name, sets := range situations {
		c := pseudonymous(sets)
		c.Name, c.Plain = name, name != "overlap"
		c.Want = jointtest.Results(t, named("pseudonyms"), c, 0) // right by TestPseudonyms; the runs of a case draw the same
		cases["pseudonyms"] = append(cases["pseudonyms"], c)
	}
	jointtest.Family(t, Protocols, cases)
}

func named(name string) *joint.Protocol {
	return &Protocols[slices.IndexFunc(Protocols, func(q joint.Protocol) bool { return q.Name == name })]
}

// pseudonymous is a case of pseudonyms of three parties.
func pseudonymous(sets [][]string) jointtest.Case {
	c := jointtest.Case{Name: "pseudonyms", Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"),
		Columns: []joint.Column{{Name: "id", Role: joint.Key}}}}
	for _, s := range sets {
		c.Tables = append(c.Tables, people(s...))
	}
	return c
}

// Blinded by one party and evaluated by all in turn, a pseudonym is what RFC 9497 makes of the key with the product of
// the secrets of all: circl's own evaluation without blinding is the twin.
func TestPseudonymsAreRFC9497(t *testing.T) {
	items := [][]byte{[]byte("P0001"), {0}, {}, []byte("a longer key \x00 of two columns")}
	plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("ada", "bob", "cyd")}
	joint.Fill(plan)
	machines, got := make([]*joint.Machine, 3), make([][]string, 3)
	all := group.Ristretto255.NewScalar().SetUint64(1)
	for k := range machines {
		seed, first := [32]byte{9, byte(k)}, make([]byte, 64)
		_, _ = rand.NewChaCha8(seed).Read(first) // the first that a party draws is its secret
		all.Mul(all, group.Ristretto255.HashToScalar(first, []byte("dither joint sets key 1")))
		machines[k] = joint.NewMachine(t.Context(), &joint.Session{Plan: plan, Random: rand.NewChaCha8(seed)}, k,
			func(_ context.Context, p *joint.Party) (_ *joint.Result, err error) {
				got[k], err = Pseudonyms(p, items)
				return &joint.Result{}, err
			})
	}
	must.Get(joint.Together(machines, nil))(t)
	secret := must.Get(all.MarshalBinary())(t)
	var key oprf.PrivateKey
	must.NoError(t, key.UnmarshalBinary(oprf.SuiteRistretto255, secret))
	for i, item := range items {
		want := must.Get(oprf.NewServer(oprf.SuiteRistretto255, &key).FullEvaluate(item))(t)
		for k := range got {
			if got[k][i] != hex.EncodeToString(want[:12]) {
				t.Errorf("item %d at party %d: %s, expected %x", i, k, got[k][i], want[:12])
			}
		}
	}
}

// Pseudonyms are equal at two parties where the keys are, differ elsewhere, and are others in another run; nothing that
// goes over a wire is the point of a key.
func TestPseudonyms(t *testing.T) {
	q := named("pseudonyms")
	for _, sets := range situations {
		pseudonymsOf(t, q, sets)
	}
}

func pseudonymsOf(t *testing.T, q *joint.Protocol, sets [][]string) {
	t.Helper()
	c := pseudonymous(sets)
	key, name := map[string]string{}, map[string]string{}
	results := jointtest.Results(t, q, c, 1)
	for k, r := range results {
		if r.Release.Find("id") >= 0 || r.Release.Rows() != len(sets[k]) {
			t.Fatal("the key is still there, or records are not")
		}
		for i, s := range sets[k] {
			if r.Release.MissingAt(i, 0) != (s == "") {
				t.Fatalf("record %d of party %d is missing in one of both", i, k)
			}
			if s == "" {
				continue
			}
			p := r.Release.Attr(0).Labels[r.Release.Cat(0)[i]]
			if was, ok := name[s]; ok && was != p {
				t.Fatal("one key has two pseudonyms")
			}
			if was, ok := key[p]; ok && was != s {
				t.Fatal("two keys have one pseudonym")
			}
			key[p], name[s] = s, p
		}
	}
	again := jointtest.Results(t, q, c, 2)[0].Release
	if slices.ContainsFunc(again.Attr(0).Labels, func(p string) bool { return key[p] != "" }) {
		t.Error("another run has a pseudonym again")
	}
}

// Of sets of 2,560 random keys the points that a party receives are uniform, by two bytes of each. A right program
// exceeds the bound once in 10,000.
func TestUniformPoints(t *testing.T) {
	long.Only(t, "5,120 points")
	draw := rand.New(rand.NewPCG(1, 2))
	var tables []*table.Table
	for range 2 {
		names := make([]string, 2560)
		for i := range names {
			names[i] = fmt.Sprint(draw.Uint64())
		}
		tables = append(tables, people(names...))
	}
	c := jointtest.Case{Name: "uniform", Tables: tables,
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: []joint.Column{{Name: "id", Role: joint.Key}}}}
	for _, view := range jointtest.Views(t, &Protocols[0], c, 5) {
		for _, m := range view {
			if m.Kind != "sets.round" && m.Kind != "sets.encrypted" {
				continue
			}
			words := make([]uint64, len(m.Payload)/32)
			for i := range words {
				words[i] = uint64(m.Payload[32*i])<<56 | uint64(m.Payload[32*i+1])<<48
			}
			if chi2, degrees := jointtest.Uniform(words, 128); chi2 > 194.5 {
				t.Errorf("%s: chi-square %.1f of %d degrees", m.Kind, chi2, degrees)
			}
		}
	}
}

// 100,000 keys at each of two parties.
func BenchmarkCommon(b *testing.B) {
	var tables []*table.Table
	for k := range 2 {
		names := make([]string, 100_000)
		for i := range names {
			names[i] = fmt.Sprint(i + k*50_000)
		}
		tables = append(tables, people(names...))
	}
	c := jointtest.Case{Name: "large", Tables: tables,
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: []joint.Column{{Name: "id", Role: joint.Key}}}}
	for b.Loop() {
		jointtest.Results(b, &Protocols[0], c, 1)
	}
}
