package dither_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// clinic is a table of 600 people with a remark about each: none or stable, but for the few first ones.
func clinic(t *testing.T, remarks ...string) dither.Source {
	t.Helper()
	age, sex, remark := make([]float64, 600), make([]int32, 600), make([]int32, 600)
	for i := range age {
		age[i], sex[i], remark[i] = float64(20+i*i%60), int32(i%2), int32(i/3%2)
	}
	for k := range remarks {
		remark[10*k+10] = int32(2 + k)
	}
	return dither.Memory("clinic", tabletest.Of(t, table.NumColumn("age", 1, age),
		table.CatColumn("sex", []string{"f", "m"}, sex),
		table.CatColumn("remark", append([]string{"none", "stable"}, remarks...), remark)))
}

// remarksOf are the remarks of a table.
func remarksOf(tab *table.Table) (out []string) {
	c := tab.Column(tab.Find("remark"))
	for _, v := range c.Cat {
		if v >= 0 && !slices.Contains(out, c.Labels[v]) {
			out = append(out, c.Labels[v])
		}
	}
	slices.Sort(out)
	return out
}

// shown releases a table that no limits hold back, and returns the remarks and what is noted.
func shown(t *testing.T, s dither.Source, opts ...dither.Option) (*dither.Release, []string, string) {
	t.Helper()
	d := must.Get(dither.Open(t.Context(), s, &policy.Policy{Version: 1, Limits: "none"}))(t)
	r := must.Get(dither.Protect(t.Context(), d, opts...))(t)
	tab := must.Get(r.Table())(t)
	return r, remarksOf(tab), fmt.Sprint(r.Notes())
}

// A plan that was made before there was anything to withhold, and a hierarchy, list no category for it: the value is
// missing, and it is said so.
func TestWithheldWhereNothingIsListed(t *testing.T) {
	const remark = "her wife must not know of it"
	by := func(name string, fitted protect.Plan) dither.Option {
		m := must.Get(catalog.Method(name))(t)
		return dither.Technique(m, fitted)
	}
	old, labels, noted := shown(t, clinic(t), by("shuffle", nil))
	if !slices.Equal(labels, []string{"none", "stable"}) || strings.Contains(noted, "stands there") {
		t.Fatalf("%q, %s", labels, noted)
	}
	_, labels, noted = shown(t, clinic(t, remark), by("shuffle", nil))
	if !slices.Equal(labels, []string{"none", "other", "stable"}) || !strings.Contains(noted, "other stands there") {
		t.Errorf("afresh: %q, %s", labels, noted)
	}
	h := hierarchy.Flat("remark", []string{"none", "stable"})
	_, labels, noted = shown(t, clinic(t, remark), by("kanonymise", nil), dither.Hierarchies(hierarchy.Set{"remark": h}))
	if slices.Contains(labels, "other") || slices.Contains(labels, remark) ||
		!strings.Contains(noted, "nothing stands there") {
		t.Errorf("by a hierarchy: %q, %s", labels, noted)
	}
	h = hierarchy.Flat("remark", []string{"none", "other", "stable"})
	_, _, noted = shown(t, clinic(t, remark), by("kanonymise", nil), dither.Hierarchies(hierarchy.Set{"remark": h}))
	if !strings.Contains(noted, "other stands there") {
		t.Errorf("by a hierarchy that lists it: %s", noted)
	}
	_, labels, noted = shown(t, clinic(t, remark), by("shuffle", old.Plan()))
	if slices.Contains(labels, "other") || slices.Contains(labels, remark) ||
		!strings.Contains(noted, "nothing stands there") {
		t.Errorf("by the old plan: %q, %s", labels, noted)
	}
}

// How few people a value may have is what a limit on k asks for, wherever that stands.
func TestWithheldByLimit(t *testing.T) {
	const remark = "her wife must not know of it"
	path := filepath.Join(t.TempDir(), "limits.yaml")
	text := "limits:\n  - {measure: kanonymity, min: 8, source: us}\n"
	must.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	codes := make([]int32, 600)
	copy(codes, []int32{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2})
	in := tabletest.Of(t, table.CatColumn("sex", []string{"f", "m"}, make([]int32, 600)),
		table.CatColumn("remark", []string{"none", remark, "mild"}, codes))
	least, more := 8.0, []string{"mild", "none", "other"}
	for name, c := range map[string]struct {
		pol  policy.Policy
		want []string
	}{
		"by default":     {policy.Policy{}, []string{remark, "mild", "none"}},
		"by a threshold": {policy.Policy{Thresholds: []policy.Threshold{{Measure: "kanonymity", Min: &least}}}, more},
		"by a file":      {policy.Policy{Limits: path}, more},
	} {
		c.pol.Version = 1
		d := must.Get(dither.Open(t.Context(), dither.Memory("clinic", in), &c.pol))(t)
		if got := remarksOf(d.Table()); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
