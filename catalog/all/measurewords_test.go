package all_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestMeasuresSpeakByKeys: what a measure notes, and what it calls its parts, are sentences of the language file with
// all their arguments, or names of columns.
func TestMeasuresSpeakByKeys(t *testing.T) {
	n := 60
	x, y, s, c := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range n {
		x[i], y[i], s[i], c[i] = float64(i%13), float64(i*i%17), int32(i%3), int32(i%2)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 1, x), table.NumColumn("y", 1, y),
		table.CatColumn("s", []string{"a", "b", "c"}, s), table.CatColumn("c", []string{"p", "q"}, c))
	a := *tab.Attr(3)
	a.Role = table.Class
	tab = tab.WithAttr(3, a)
	r := &measure.Release{Original: tab, Released: tab.WithNum(0, y), Paired: true}
	taken := 0
	for _, m := range catalog.Measures() {
		v, err := m.New().Measure(t.Context(), r, rng.Source{})
		if err != nil {
			continue
		}
		taken++
		says := v.Notes
		for _, p := range v.Parts {
			if says = append(says, p.Name); p.Name.Key() == "" && !(p.Name.IsName() && tab.Find(p.Name.String()) >= 0) {
				t.Errorf("%s: part %q has no key", m.Name, p.Name)
			}
		}
		for k, s := range says {
			var spoken message.Spoken
			data, _ := json.Marshal(s)
			if json.Unmarshal(data, &spoken); k < len(v.Notes) && spoken.Key == "" || strings.ContainsAny(spoken.Text, "[]") {
				t.Errorf("%s: %q by the key %q", m.Name, spoken.Text, spoken.Key)
			}
		}
	}
	if taken < 20 {
		t.Errorf("%d measures were taken", taken)
	}
}
