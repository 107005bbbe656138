package privatetree

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// What is told of a tree holds nothing that was read from the records and not bought: neither the ends of a number nor
// a category that no test names, nor in which order categories occur. It is read again as it was written.
func TestPublic(t *testing.T) {
	const n = 600
	class, town, x := make([]int32, n), make([]int32, n), make([]float64, n)
	for i := range n {
		class[i], town[i], x[i] = int32(i%2), int32(i%3), float64(i%50)
		if i%3 != 0 {
			class[i] = int32(town[i] - 1)
		}
	}
	town[7], x[7] = 3, 917.25
	label := table.CatColumn("label", []string{"no", "yes"}, class)
	label.Declared = true
	label.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("x", 0.25, x),
		table.CatColumn("town", []string{"york", "leeds", "bath", "hermitage"}, town),
		table.CatColumn("code", []string{"onlyone", "other"}, class), label)
	for _, trees := range []int{1, 3} {
		l := New()
		l.Epsilon, l.Delta, l.Trees = 20, 1e-6, trees
		m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{3})))(t)
		whole, _ := json.Marshal(m)
		told, err := json.Marshal(l.Public(m))
		if err != nil || !strings.Contains(string(whole), "hermitage") || !strings.Contains(string(whole), "917.25") {
			t.Fatalf("%v: the model itself should have both", err)
		}
		for _, secret := range []string{"hermitage", "917.25", `"step"`, `"min"`, `"max"`} {
			if strings.Contains(string(told), secret) {
				t.Errorf("%d trees tell %s", trees, secret)
			}
		}
		if b, y := strings.Index(string(told), `"bath"`), strings.Index(string(told), `"york"`); b >= 0 && y >= 0 && y < b {
			t.Error("the order is that in which towns occur")
		}
		if trees == 1 {
			var back tree.Tree
			if err := json.Unmarshal(told, &back); err != nil || !back.Equal(l.Public(m).(*tree.Tree)) {
				t.Errorf("what is told is not read again: %v", err)
			}
			if l.Domains = Observed; l.Public(m) != m {
				t.Error("without privacy the model stays as it is")
			}
		}
	}
}
