package study

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A bound on odds is said to hold for declared categories only, and to grow with the records of a person; where there
// is none, as of noise that keeps the frequencies of the records, nothing is said of it.
func TestLocalPrivacy(t *testing.T) {
	of := func(method string, set map[string]string, declared bool, whose []int32) string {
		m := must.Get(catalog.Method(method))(t)
		c := table.CatColumn("town", []string{"a", "b", "c"}, []int32{0, 1, 2, 0, 1, 0})
		c.Declared = declared
		tab := tabletest.Of(t, c).Owned(whose)
		technique := m.New()
		must.NoError(t, technique.Params().Apply(set))
		p := must.Get(protect.Fit(t.Context(), technique, tab, rng.New([32]byte{1})))(t)
		return strings.Join(message.Written(LocalPrivacy(p, tab)), "\n")
	}
	warner := map[string]string{"p": "0.9"}
	if said := of("warner", warner, true, nil); said != "" {
		t.Errorf("declared categories: %q", said)
	}
	if said := of("warner", warner, false, nil); !strings.Contains(said, "those of town were read from it") {
		t.Errorf("observed categories: %q", said)
	}
	if said := of("warner", warner, true, []int32{0, 0, 0, 1, 1, 2}); !strings.Contains(said, "3 times as large") {
		t.Errorf("a person with three records: %q", said)
	}
	if said := of("pram", map[string]string{"invariant": "true"}, false, nil); said != "" {
		t.Errorf("a matrix of the records has no bound: %q", said)
	}
}
