package hidingeffects

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestReadings: of six rules a=>b one end is unknown, and so is one beginning where neither side is: between 5 of 7 and
// 6 of 6, and between a half and three fifths of the records.
func TestHidingFailureReadings(t *testing.T) {
	both, none := []int32{0, 1}, []int32{}
	before := [][]int32{both, both, both, both, both, both, none, none, none, none}
	after := [][]int32{{0}, both, both, both, both, both, none, none, none, none}
	unknown := [][]int32{{1}, none, none, none, none, none, {0}, none, none, none}
	of := func(present, unknown [][]int32) *table.Table {
		return tabletest.Of(t, table.SetColumn("s", []string{"a", "b"}, table.SetsOf(present, unknown)))
	}
	m := HidingFailure.New().(*HidingFailureMeter)
	must.NoError(t, m.Params().Apply(map[string]string{"sensitive": "a=>b", "support": "0.3"}))
	v, err := m.Measure(context.Background(),
		&measure.Release{Original: of(before, nil), Released: of(after, unknown), Paired: true}, rng.Source{})
	must.NoError(t, err)
	p := v.Detail.(HidingFailureDetail).Sensitive[0]
	if p.Low == nil || p.High == nil || *p.Low != (Strength{0.5, 5. / 7}) || *p.High != (Strength{0.6, 1}) {
		t.Errorf("%+v to %+v", p.Low, p.High)
	}
	if v, err = m.Measure(context.Background(),
		&measure.Release{Original: of(before, nil), Released: of(before, nil), Paired: true}, rng.Source{}); err != nil {
		t.Fatal(err)
	}
	if p := v.Detail.(HidingFailureDetail).Sensitive[0]; p.Low != nil || p.High != nil {
		t.Errorf("nothing is in doubt: %+v to %+v", p.Low, p.High)
	}
}

// TestFewestRestore: of two hidden itemsets, one is back after two more records and the other after three; the part
// says two, in whichever order they are listed.
func TestFewestRestore(t *testing.T) {
	r := &measure.Release{Original: sets(t, "ab ab ab e"), Released: sets(t, "a e e e"), Paired: true}
	for _, list := range []string{"a;b", "b;a"} {
		m := HidingFailure.New()
		must.NoError(t, m.Params().Apply(map[string]string{"sensitive": list, "support": "0.75"}))
		v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
		if len(v.Parts) != 1 || v.Parts[0].Key != "restoring" || v.Parts[0].Score != 2 {
			t.Errorf("%s: %+v", list, v.Parts)
		}
	}
}

// TestLostByWeight: of three items, in three, one and one of four records, a rare one is lost.
func TestLostByWeight(t *testing.T) {
	m := MissesCost.New()
	must.NoError(t, m.Params().Apply(map[string]string{"sensitive": "a,b", "support": "0.25"}))
	r := &measure.Release{Original: sets(t, "a a ab e"), Released: sets(t, "a a a e"), Paired: true}
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	if p := v.Parts[2]; v.Score != 1./3 || p.Key != "lost-weighted" || p.Score != 0.2 {
		t.Errorf("%v, %+v", v.Score, p)
	}
}
