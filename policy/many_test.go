package policy

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestManyColumns: the work of a policy grows with its columns, not with their square: for four times the columns five
// times the memory at most is asked for, where the square would ask for twelve times.
func TestManyColumns(t *testing.T) {
	asked := func(n int) uint64 {
		var b strings.Builder
		b.WriteString("version: 1\ncolumns:\n")
		for j := range n {
			fmt.Fprintf(&b, "  c%d: {role: quasi-identifier, domain: [0, 10]}\n", j)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := Parse("p.yaml", []byte(b.String()))
		runtime.ReadMemStats(&after)
		if err != nil || len(p.Columns) != n {
			t.Fatalf("%d columns: %v", n, err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	asked(10) // compiles the schema
	if few, many := asked(2500), asked(10000); many > 5*few {
		t.Errorf("2,500 columns ask for %d bytes, 10,000 for %d", few, many)
	}
}
