package hidingeffects

import (
	"context"
	"testing"

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
	if err := m.Params().Apply(map[string]string{"sensitive": "a=>b", "support": "0.3"}); err != nil {
		t.Fatal(err)
	}
	v, err := m.Measure(
		context.Background(),
		&measure.Release{Original: of(before, nil), Released: of(after, unknown), Paired: true},
		rng.Source{},
	)
	if err != nil {
		t.Fatal(err)
	}
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
