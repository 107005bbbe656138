package hierarchy

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Nai Fovino & Masera 2008, eq. 1.1 = 6.2 = 6.4.
func TestEquation11(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/kanon_precision.json"))(t)
	var cases []struct {
		Name      string
		Input     struct{ Levels, Heights json.RawMessage }
		Expected  struct{ Precision float64 }
		Tolerance struct{ Abs float64 }
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%d cases, error %v", len(cases), err)
	}
	for _, c := range cases {
		var rows [][]int
		var heights []int
		must.NoError(t, json.Unmarshal(c.Input.Levels, &rows))
		must.NoError(t, json.Unmarshal(c.Input.Heights, &heights))
		levels := make([][]int, len(heights))
		for _, row := range rows {
			for j, l := range row {
				levels[j] = append(levels[j], l)
			}
		}
		got, err := Precision(levels, heights)
		if err != nil || math.Abs(got-c.Expected.Precision) > c.Tolerance.Abs {
			t.Errorf("%s: %v, error %v, expected %v", c.Name, got, err, c.Expected.Precision)
		}
	}
}

// TestEqualsTwin compares with the formula, cell by cell.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 6).Draw(t, "rows")
		heights := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 5).Draw(t, "heights")
		levels := make([][]int, len(heights))
		lost := 0.0
		for j, h := range heights {
			levels[j] = rapid.SliceOfN(rapid.IntRange(Suppressed, h), rows, rows).Draw(t, "levels")
			for _, l := range levels[j] {
				if l == Suppressed {
					lost++
				} else if l > 0 {
					lost += float64(l) / float64(h)
				}
			}
		}
		want := 1 - lost/float64(rows*len(heights))
		got, err := Precision(levels, heights)
		if err != nil || math.Abs(got-want) > 1e-12 || got > 1 || got < -1e-12 {
			t.Fatalf("%v, error %v, expected %v", got, err, want)
		}
	})
}

func TestSuppressedTable(t *testing.T) {
	got, err := Precision([][]int{{Suppressed, Suppressed}, {Suppressed, 3}}, []int{0, 3})
	if err != nil || got != 0 {
		t.Errorf("a table of nothing has precision %v, error %v, expected 0", got, err)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		levels  [][]int
		heights []int
	}{
		"no attribute":    {nil, nil},
		"no record":       {[][]int{{}}, []int{1}},
		"no height":       {[][]int{{1}}, nil},
		"ragged":          {[][]int{{1, 1}, {1}}, []int{1, 1}},
		"above the top":   {[][]int{{2}}, []int{1}},
		"below the value": {[][]int{{-2}}, []int{1}},
		"negative height": {[][]int{{Suppressed}}, []int{-1}},
	} {
		if p, err := Precision(c.levels, c.heights); err == nil {
			t.Errorf("%s: precision %v", name, p)
		}
	}
}
