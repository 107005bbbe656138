package orthobasis

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func notes(t *testing.T, u ...[]float64) (*Facts, string) {
	t.Helper()
	names, attrs := make([]string, len(u)), make([]table.Attribute, len(u))
	for j := range u {
		names[j] = string(rune('a' + j))
		attrs[j].Name = names[j]
	}
	f := must.Get(Study(context.Background(), names, u, len(u)))(t)
	return f, strings.Join(message.Written(f.Notes(attrs, 0, func(int) bool { return false })), "\n")
}

// What is constant is decided by all known values, not by those of complete records; a lone one is told of, and so is
// the column whose gaps leave too few complete records.
func TestNotesOnGaps(t *testing.T) {
	nan := math.NaN()
	f, text := notes(t, []float64{1, 2, 30, nan, 7, 9}, []float64{nan, nan, nan, 5, nan, nan},
		[]float64{4, 4, nan, 4, 4, 4})
	if fmt.Sprintf("%v %v %s %d", f.Constant, f.Lone, f.Sparsest, f.Gaps) != "[1 2] [1] b 5" {
		t.Errorf("facts %+v", f)
	}
	if strings.Contains(text, `"a"`) || !strings.Contains(text, `"b" misses the most values, 5 of 6`) ||
		!strings.Contains(
			text,
			`"b" has one known value, which is released`,
		) || !strings.Contains(text, `"c" has no two different values`) {
		t.Errorf("notes %s", text)
	}
	gappy := append([]float64{1, 2}, make([]float64, 38)...) // 0 in all complete records
	other := normals(random(1), 1, 40)[0]
	other[0], other[1] = nan, nan
	if _, text = notes(t, gappy, other); strings.Contains(text, "no two") ||
		!strings.Contains(text, `"a" has one value in the complete records`) {
		t.Errorf("notes %s", text)
	}
}

// Three columns have 3 means and 6 covariances, so three unknown records of 12 are nine numbers in nine equations.
func TestNotesOnFewRecords(t *testing.T) {
	for n, want := range map[int]bool{12: true, 13: false} {
		_, text := notes(t, normals(random(2), 3, n)...)
		if strings.Contains(text, fmt.Sprintf("exact moments of %d complete records reveal much: anyone who knows "+
			"all of them but 3 can", n)) != want {
			t.Errorf("%d records: %s", n, text)
		}
	}
}
