package tree_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/segment/tree/pmml"
	"github.com/dither-data/dither/table"
)

// A tree that was written as PMML is read as the same tree, but for roles and for who declared a domain.
func TestPMMLRoundTrip(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := tree.Draw(t)
		tr.Attrs[3].Dates = rapid.SampledFrom([]calendar.Notation{"", "dd.mm.yyyy", "yyyy-mm-dd hh:mm"}).Draw(t, "dates")
		doc := must.Get(pmml.Write(tr))(t)
		back, err := pmml.Read(doc)
		if err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		for j := range tr.Attrs {
			a := &tr.Attrs[j]
			if a.Declared, a.Role = false, 0; j == tr.Class {
				a.Role = table.Class
			}
			if back.Attrs[j].Dates != a.Dates {
				t.Fatalf("dates are %q, expected %q", back.Attrs[j].Dates, a.Dates)
			}
			if a.Dates != "" {
				a.Step = back.Attrs[j].Step
			}
		}
		if !tr.Equal(back) {
			t.Fatalf("read back: %+v, expected %+v\n%s", back, tr, doc)
		}
	})
}
