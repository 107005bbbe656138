package study

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// read is a random release of persons in households, or of persons who may be none, each column drawn from another
// record where it is moved.
func read(r *rapid.T) func() *measure.Release {
	original := protecttest.RandomTable(r)
	n := original.Rows()
	released := original
	for j := range original.Width() {
		if !rapid.Bool().Draw(r, "moved") {
			continue
		}
		rows := rapid.Permutation(upTo(n)).Draw(r, "from")
		var err error
		if released, err = released.WithColumn(j, original.Column(j).Gather(rows)); err != nil {
			r.Fatal(err)
		}
	}
	persons, homes := map[table.RecordID]int32{}, map[table.RecordID]int32{}
	for i := range n {
		if p := rapid.IntRange(-1, n/2).Draw(r, "person"); p >= 0 {
			persons[original.ID(i)] = int32(p)
			homes[original.ID(i)] = int32(p) / 3
		}
	}
	o := measure.Owners{Person: "p", Persons: map[string]map[table.RecordID]int32{"p": persons, "h": homes}}
	if rapid.Bool().Draw(r, "households") {
		o.Household = "h"
	}
	if rapid.Bool().Draw(r, "not declared") {
		o.Besides = []measure.Reading{{Says: message.Text("by records")}}
	}
	return func() *measure.Release {
		return &measure.Release{Original: original, Released: released, Paired: true, Owners: o}
	}
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// TestReadingsAlone: readings of a release share what does not depend on whose the records are, and each figure is what
// it is of a release that is read in no other way; the worst of them is shown, with all that belongs to it.
func TestReadingsAlone(t *testing.T) {
	var risks []measure.Measure
	for _, m := range catalog.Measures() {
		if m.Side == measure.Risk && m.Effort == measure.Fast {
			risks = append(risks, m)
		}
	}
	long.Check(t, func(r *rapid.T) {
		fresh := read(r)
		shared := readingsOf(fresh())
		for _, m := range some(r, risks) {
			s, src := &Spec{Measure: m}, rng.New([32]byte{7})
			of := func(release *measure.Release, those *measure.Release) (measure.Value, string) {
				v, err := measure.Take(t.Context(), m.New(), s.facing(release, those), src.Fork(m.Name))
				if err != nil {
					return v, err.Error()
				}
				return v, asJSON(r, v)
			}
			worst, says := of(shared.those, shared.those)
			for k, o := range shared.other {
				v, got := of(o.Release, shared.those)
				alone := readingsOf(fresh())
				if _, want := of(alone.other[k].Release, alone.those); got != want {
					r.Fatalf("%s by reading %d: %s\nalone: %s", m.Name, k, got, want)
				}
				if m.Better == measure.Lower && v.Hi > worst.Hi || m.Better != measure.Lower && v.Lo < worst.Lo {
					worst, says = v, got
				}
			}
			alone := readingsOf(fresh())
			if v, _, err := s.worst(t.Context(), alone, m.New(), s.facing(alone.those, alone.those), src); err == nil {
				v.Notes = worst.Notes // and a note on the reading
				if got := asJSON(r, v); got != says {
					r.Fatalf("%s: shown is %s\nthe worst is %s", m.Name, got, says)
				}
			}
		}
	})
}

// some are a quarter of the measures, in a long test all.
func some(r *rapid.T, all []measure.Measure) []measure.Measure {
	if long.Enabled() {
		return all
	}
	return rapid.Permutation(all).Draw(r, "measures")[:len(all)/4]
}

// asJSON is a value as text.
func asJSON(r *rapid.T, v measure.Value) string {
	b := must.Get(json.Marshal(v))(r)
	return string(b)
}
