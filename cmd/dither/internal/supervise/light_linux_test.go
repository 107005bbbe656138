package supervise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestLight: only what cannot come near the memory goes without somebody who says what came of it.
func TestLight(t *testing.T) {
	dir := t.TempDir()
	small, large := filepath.Join(dir, "small.dat"), filepath.Join(dir, "large.dat")
	for path, size := range map[string]int64{small: 1 << 10, large: 1 << 40} {
		f := must.Get(os.Create(path))(t)
		must.NoError(t, f.Truncate(size))
		f.Close()
	}
	for call, want := range map[string]bool{
		"":                                  true,
		"--help":                            true,
		"--version":                         true,
		"methods rpt --json":                true,
		"help protect":                      true,
		"mine itemsets SMALL":               true,
		"mine itemsets SMALL --support 0.1": true,
		"mine itemsets SMALL --support=2 --closed": true,
		"mine itemsets --support 2 SMALL":          true,
		"mine itemsets LARGE":                      false,
		"mine itemsets --support 2 LARGE":          false,
		"mine itemsets SMALL LARGE":                false,
		"mine itemsets -":                          false,
		"mine itemsets /dev/stdin":                 false,
		"mine itemsets DIR":                        false,
		"mine itemsets SMALL --json":               false,
		"mine itemsets SMALL -o out.csv":           false,
		"mine itemsets SMALL --miner apriori":      false,
		"mine itemsets SMALL --noise-model SMALL":  false,
		"mine rules SMALL":                         false,
		"mine c45 SMALL":                           false,
		"mine itemsets":                            false,
		"generate quest -n 5":                      false,
		"protect SMALL":                            false,
	} {
		args := strings.Fields(call)
		for k, a := range args {
			args[k] = strings.NewReplacer("SMALL", small, "LARGE", large, "DIR", dir).Replace(a)
		}
		if got := light(args); got != want && !(want && room() < 2*besides) {
			t.Errorf("%q: %v", call, got)
		}
	}
}
