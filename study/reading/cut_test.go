package reading_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A class that is cut has ranges, the policy keeps where, and the next table and a release are cut alike.
func TestCut(t *testing.T) {
	house := func(values ...float64) *table.Table {
		rooms := make([]float64, len(values))
		return tabletest.Of(t, table.NumColumn("rooms", 1, rooms), table.NumColumn("price", 0.5, values))
	}
	pol := &policy.Policy{Class: "price", Columns: map[string]policy.Column{"price": {Cut: "40%top",
		Domain: []policy.Text{"0", "50"}}}}
	info := &format.Info{}
	tab, kept, err := reading.Cut(house(1, 2, 3, 4, 5), info, pol)
	must.NoError(t, err)
	c := tab.Column(1)
	if strings.Join(c.Labels, "; ") != "<= 3.5; > 3.5" || !c.Ordered || !slices.Equal(c.Cat, []int32{0, 0, 0, 1, 1}) ||
		kept.Columns["price"].Cut != "3.5" || kept.Columns["price"].Domain != nil || len(info.Notes) != 1 {
		t.Fatalf("%+v, %+v, %v", c, kept.Columns, info.Notes)
	}
	if pol.Columns["price"].Cut != "40%top" {
		t.Error("the policy that was given has changed")
	}
	next, taken, contrary := pol.Recall(kept.Reading())
	if next.Columns["price"].Cut != "3.5" || len(taken) != 1 || len(contrary) > 0 {
		t.Errorf("the next table is read by %+v: %q, %q", next.Columns, taken, contrary)
	}
	again, _, err := reading.Cut(house(9, 9, 1), info, next)
	if err != nil || !slices.Equal(again.Cat(1), []int32{1, 1, 0}) || len(info.Notes) != 1 {
		t.Errorf("%v, %v", again.Cat(1), err)
	}
	other := &policy.Policy{Columns: map[string]policy.Column{"price": {Cut: "2"}}}
	if _, _, contrary = other.Recall(kept.Reading()); len(contrary) != 1 {
		t.Errorf("other points than the plan's: %q", contrary)
	}
	released := tabletest.Of(t, table.NumColumn("rooms", 1, []float64{1, 1}), table.CatColumn("price",
		[]string{"> 3.5", "<= 3.5"}, []int32{0, 1}))
	if tab, _, err = reading.Cut(released, info, kept); err != nil || !slices.Equal(tab.Cat(1), []int32{1, 0}) {
		t.Errorf("a release: %v", err)
	}
	for rule, says := range map[string]string{"price=entropy": "name another column", "rooms=20%top": "finds nowhere",
		"room=20%top": "no column", "price=low": "expected 20%top"} {
		name, as, _ := strings.Cut(rule, "=")
		pol := &policy.Policy{Class: "price", Columns: map[string]policy.Column{name: {Cut: policy.Text(as)}}}
		if _, _, err := reading.Cut(house(1, 2), info, pol); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", rule, err)
		}
	}
	byClass := &policy.Policy{Class: "price", Columns: map[string]policy.Column{"price": {Cut: "8.5"},
		"rooms": {Cut: "entropy"}}}
	two := tabletest.Of(t, table.NumColumn("rooms", 1, []float64{1, 2, 3, 4, 5, 6, 7, 8}), table.NumColumn("price", 1,
		[]float64{1, 2, 3, 4, 11, 12, 13, 14}))
	if _, kept, err = reading.Cut(two, info, byClass); err != nil || kept.Columns["rooms"].Cut != "4.5" {
		t.Errorf("by the class: %v, %v", kept, err)
	}
}
