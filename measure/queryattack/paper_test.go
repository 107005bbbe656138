package queryattack

import (
	_ "embed"
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

//go:embed testdata/query_attack.json
var golden []byte

// Peters 2011, section 4.2 and figure 4.3: P(S1) and P(S2|a) of a query, with suppressed values that match nothing, and
// all.
func TestFigure43(t *testing.T) {
	type in struct {
		Rows    [][]string
		Classes []string
		Query   map[string]string
	}
	type answer struct {
		Matches int
		S1      float64            `json:"p_s1"`
		S2      map[string]float64 `json:"p_s2"`
	}
	type out struct{ Strict, Wildcard answer }
	for _, c := range protecttest.Cases[in, out](t, golden, "query_attack") {
		var codes [][]int32
		var sizes []int
		var q Query
		for j := range c.Input.Rows[0] {
			var labels []string
			column := make([]int32, len(c.Input.Rows))
			for i, row := range c.Input.Rows {
				if !slices.Contains(labels, row[j]) && row[j] != "?" {
					labels = append(labels, row[j])
				}
				column[i] = int32(slices.Index(labels, row[j]))
			}
			codes, sizes = append(codes, column), append(sizes, len(labels))
			if want, ok := c.Input.Query[strconv.Itoa(j)]; ok {
				code := int32(slices.Index(labels, want))
				q = append(q, Condition{j, code, code})
			}
		}
		for wildcard, want := range map[bool]answer{false: c.Expected.Strict, true: c.Expected.Wildcard} {
			matches := NewIndex(len(c.Input.Rows), codes, sizes, wildcard).Matches(q, new(Scratch))
			s2 := map[string]float64{}
			for _, i := range matches {
				s2[c.Input.Classes[i]] += 1 / float64(len(matches))
			}
			close := func(a, b float64) bool { return math.Abs(a-b) < c.Tolerance.Abs }
			if len(matches) != want.Matches || !close(S1(len(matches)), want.S1) || !maps.EqualFunc(s2, want.S2, close) {
				t.Errorf("%s, wildcard %v: %d matches, S1 %v, S2 %v, expected %+v", c.Name, wildcard, len(matches),
					S1(len(matches)), s2, want)
			}
		}
	}
}
