package hierarchy

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// FuzzParse: what is accepted is consistent, and is read back as it is written.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"Ulm;South;*\r\nKiel;North;*\n", "\ufeff\n31,30s,*\n34,30s,*\n", "\"a;b\",x,*\n",
		"a\tx\n", "\"a\r\nb\";x\n", ";x\na;y\n",
		"\ufeff\ufeffa;\" b\"\n", "1;\"x \"\"y\"\"\";*\n", "\xff;a\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := Parse("v", strings.NewReader(text))
		if err != nil {
			if m := err.Error(); m == "" || strings.Contains(m, "\n") {
				t.Fatalf("the error is not one line: %q", m)
			}
			return
		}
		if err := h.Check(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var b strings.Builder
		must.NoError(t, h.Write(&b))
		again, err := Parse("v", strings.NewReader(b.String()))
		if err != nil || !reflect.DeepEqual(h, again) {
			t.Fatalf("%q is read as %+v, written as %q, and read as %+v, %v", text, h, b.String(), again, err)
		}
		data := must.Get(json.Marshal(h))(t)
		var decoded Hierarchy
		if err := json.Unmarshal(data, &decoded); err != nil || !reflect.DeepEqual(h, &decoded) {
			t.Fatalf("%s is decoded as %+v, %v", data, decoded, err)
		}
	})
}

// FuzzCheck: what is decoded and passes Check can be used without panic.
func FuzzCheck(f *testing.F) {
	c := table.NumColumn("v", 1, []float64{17, 90, math.NaN()})
	constant := table.NumColumn("v", 1, []float64{5})
	for _, h := range []*Hierarchy{Intervals(&c), Intervals(&constant), Runs("v", []string{"a", "b", "17"}),
		Flat("v", []string{"17"})} {
		data := must.Get(json.Marshal(h))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var h Hierarchy
		if json.Unmarshal(data, &h) != nil || h.Check() != nil {
			return
		}
		cat := table.CatColumn("v", []string{"a", "b"}, []int32{0, 1, -1})
		for l := h.Lowest(); l <= h.Height(); l++ {
			for g, s := range h.Spans(l) {
				if !(s >= 0 && s <= 1) {
					t.Fatalf("group %d of level %d spans %v", g, l, s)
				}
			}
			for _, c := range []table.Column{c, cat} {
				g, err := h.Groups(&c, l)
				if err == nil && (len(g) != 3 || g[2] != -1 || int(max(g[0], g[1])) >= len(h.Labels(l)) || min(g[0], g[1]) < 0) {
					t.Fatalf("groups %v of %d", g, len(h.Labels(l)))
				}
			}
		}
		again := must.Get(json.Marshal(&h))(t)
		var back Hierarchy
		if err := json.Unmarshal(again, &back); err != nil || back.Check() != nil {
			t.Fatalf("%s: %v, %v", again, err, back.Check())
		}
	})
}
