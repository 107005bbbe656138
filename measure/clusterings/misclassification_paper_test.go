package clusterings

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// golden is a worked example; of other ops only the name of the op is read.
type golden struct {
	Name, Op string
	Input    struct {
		Before, After []int32
		K             int
	}
	Expected struct{ Sizes, Matched, Points float64 }
}

// TestGoldenMisclassification has the misclassification error of Roy, section 5.3, after Oliveira & Zaiane 2003, in its
// three readings.
func TestGoldenMisclassification(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/clustering.json"))(t)
	var cases []golden
	must.NoError(t, json.Unmarshal(text, &cases))
	seen := 0
	for _, c := range cases {
		if c.Op != "misclassification" {
			continue
		}
		seen++
		got, err := Compare(c.Input.Before, c.Input.After, c.Input.K)
		if err != nil || !misNear(got.Sizes, c.Expected.Sizes) || !misNear(got.Matched, c.Expected.Matched) ||
			!misNear(got.Points, c.Expected.Points) {
			t.Errorf("%s: %+v, error %v, expected %+v", c.Name, got, err, c.Expected)
		}
	}
	if seen != 3 {
		t.Errorf("%d cases, expected 3", seen)
	}
}

// TestHubertArabieExample has a 3 x 3 table whose adjusted Rand index is worked out by hand with eq. 5 of Hubert &
// Arabie 1985: of 10 objects in the classes (5, 2, 3) and (4, 4, 2) of the table (3 2 0 / 1 0 1 / 0 2 1), 5 pairs are
// together in both, 14 in the first, 13 in the second, of 45: (5 - 14*13/45) / (13.5 - 14*13/45).
func TestHubertArabieExample(t *testing.T) {
	var before, after []int32
	for g, row := range [][]int{{3, 2, 0}, {1, 0, 1}, {0, 2, 1}} {
		for h, n := range row {
			for range n {
				before, after = append(before, int32(g)), append(after, int32(h))
			}
		}
	}
	c, err := Compare(before, after, 3)
	if want := (5 - 14.0*13/45) / (13.5 - 14.0*13/45); err != nil || !misNear(c.Rand, want) {
		t.Errorf("%v, error %v, expected %v", c.Rand, err, want)
	}
}
