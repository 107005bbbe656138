package named

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// roles is a table of a column for every role that decides what may change.
func roles(t *testing.T) *table.Table {
	t.Helper()
	var cols []table.Column
	for name, role := range map[string]table.Role{"a=b": table.Quasi, "a": 0, "pay": table.Confidential,
		"class": table.Class, "w": table.Weight} {
		c := table.NumColumn(name, 1, []float64{1, 2})
		c.Role = role
		cols = append(cols, c)
	}
	slices.SortFunc(cols, func(a, b table.Column) int { return strings.Compare(a.Name, b.Name) }) // a, a=b, class, pay, w
	return tabletest.Of(t, cols...)
}

func TestAssign(t *testing.T) {
	tab := roles(t)
	got, err := Assign(tab, "at", []string{"pay = 3 ", "a=b", "w=x=y"})
	if err != nil || !slices.Equal(got, []Assigned{{3, "3"}, {0, "b"}, {4, "x=y"}}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Assign(tab.Select(1, 2), "at", []string{"a=b=7"}); err != nil || got[0] != (Assigned{0, "7"}) {
		t.Errorf("a name with an equals sign: %+v, %v", got, err)
	}
	for item, want := range map[string]string{"pay": `has no "="`, "pax=3": `no column "pax"`, "": `has no "="`} {
		if _, err := Assign(tab, "at", []string{item}); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), `"at"`) {
			t.Errorf("%q: %v", item, err)
		}
	}
}

func TestOpenAndPicked(t *testing.T) {
	tab := roles(t)
	all, err := protect.Open(tab, nil)
	if err != nil || !slices.Equal(all, []int{0, 1, 3}) {
		t.Errorf("open are %v, %v", all, err)
	}
	may, err := protect.Open(tab, []string{"a=b"})
	if err != nil || !slices.Equal(may, []int{0, 3}) {
		t.Errorf("open are %v, %v", may, err)
	}
	if got := protect.QuasiIdentifiers(tab, all, all); !slices.Equal(got, []int{1}) {
		t.Errorf("quasi-identifiers are %v", got)
	}
	if got := protect.QuasiIdentifiers(tab, all, may); len(got) != 0 {
		t.Errorf("when the only one is excepted, quasi-identifiers are %v", got)
	}
	if got := protect.QuasiIdentifiers(tab, may, may); !slices.Equal(got, []int{0}) {
		t.Errorf("where none is marked, quasi-identifiers are %v", got)
	}
	if got, err := Columns(tab, "columns", []string{"pay", "a", "pay"}, all); err != nil ||
		!slices.Equal(got, []int{0, 3}) {
		t.Errorf("picked are %v, %v", got, err)
	}
	for name, want := range map[string]string{"class": "is the class", "w": "sampling weights", "a=b": "excepted",
		"z": "no column"} {
		if _, err := Columns(tab, "columns", []string{name}, may); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	id := *tab.Attr(0)
	id.Role = table.Identifier
	if _, err := protect.Open(tab.WithAttr(0, id), nil); err == nil {
		t.Error("an identifier is accepted")
	}
	if _, err := protect.Open(tab, []string{"z"}); err == nil {
		t.Error("a column that the table lacks is excepted")
	}
}

func TestWeights(t *testing.T) {
	tab := roles(t)
	if w, err := protect.Weights(tab); err != nil || !slices.Equal(w, []float64{1, 2}) {
		t.Errorf("%v, %v", w, err)
	}
	if w, err := protect.Weights(tab.Select(0)); w != nil || err != nil {
		t.Errorf("without a column of weights: %v, %v", w, err)
	}
	if _, err := protect.Weights(tab.WithNum(4, []float64{1, -1})); err == nil || strings.Contains(err.Error(), "-1") {
		t.Errorf("a weight below 0: %v", err)
	}
}
