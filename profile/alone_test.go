package profile

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Alone agrees with counting every tuple as text.
func TestAloneCountsTuples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "rows")
		num, cat := make([]float64, n), make([]int32, n)
		for i := range num {
			num[i] = float64(rapid.IntRange(0, 5).Draw(t, "number"))
			cat[i] = int32(rapid.IntRange(-1, 2).Draw(t, "code"))
		}
		tab := tabletest.Of(t, table.NumColumn("n", 1, num), table.CatColumn("c", []string{"a", "b", "c"}, cat))
		got, err := Alone(context.Background(), tab, []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for i := range num {
			count[fmt.Sprint(num[i], cat[i])]++
		}
		for i := range num {
			if want := count[fmt.Sprint(num[i], cat[i])] == 1; got[i] != want {
				t.Fatalf("row %d: %v, expected %v", i, got[i], want)
			}
		}
	})
}
