package regenerate_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/romm"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// gains returns a table of 4,000 records: "gain" is 0 for nine of ten, "normal" and "twin", the same, are normal, and
// all but twin are confidential.
func gains(t *testing.T, declared bool) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var cols [3][]float64
	for i := range 4000 {
		gain, v := 0.0, math.Round(r.NormFloat64()*1000)
		if i%10 == 0 {
			gain = float64(r.IntN(20_000))
		}
		cols[0], cols[1], cols[2] = append(cols[0], gain), append(cols[1], v), append(cols[2], v)
	}
	gain, normal := table.NumColumn("gain", 1, cols[0]), table.NumColumn("normal", 1, cols[1])
	gain.Role, normal.Role = table.Confidential, table.Confidential
	if declared {
		gain.Domain, gain.Declared = table.Interval{Lo: 0, Hi: 100_000}, true
	}
	return tabletest.Of(t, gain, normal, table.NumColumn("twin", 1, cols[2]))
}

func said(t *testing.T, m protect.Method, tab *table.Table, set map[string]string) (notes, corrections string) {
	t.Helper()
	q := m.New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return strings.Join(
			message.Written(p.(protect.Noted).Notes()),
			"\n",
		), strings.Join(
			message.Written(p.(protect.Corrected).Corrections()),
			"\n",
		)
}

// A normal law of the moments of "gain" has a third of its values below 0. In a declared domain they are forced inside,
// which is noted and corrected by nothing; in an observed one they lie outside, which is noted. Where numbers keep
// their sign they become 0, which is noted as what is forced.
func TestForcedColumns(t *testing.T) {
	type kind struct {
		declared bool
		set      map[string]string
		forced   bool
	}
	for _, m := range []protect.Method{gadp.GADP, gadp.EGADP, romm.Method, additivenoise.Independent,
		additivenoise.Correlated, additivenoise.Kim} {
		exact := m.Name == gadp.EGADP.Name || m.Name == romm.Method.Name
		kinds := []kind{{true, nil, true}, {false, nil, false}}
		if !exact {
			kinds = append(kinds, kind{false, map[string]string{"outside": "sign"}, true})
		}
		for _, k := range kinds {
			notes, corrections := said(t, m, gains(t, k.declared), k.set)
			if strings.Contains(notes, "will be forced into the domain") != k.forced ||
				!k.forced && !strings.Contains(notes, "outside the observed range") {
				t.Errorf("%s, %+v: notes %s", m.Name, k, notes)
			}
			if strings.Contains(corrections, `except those of "gain": forcing values`) != k.forced {
				t.Errorf("%s, %+v: corrections %s", m.Name, k, corrections)
			}
		}
	}
}

// "normal" is released as it is, for its twin is; with nothing withheld all is.
func TestOriginalsAreNoted(t *testing.T) {
	const note = `every value of "%" is the original's: `
	for _, c := range []struct {
		method protect.Method
		all    map[string]string
	}{
		{gadp.GADP, map[string]string{"security": "0"}}, {gadp.EGADP, map[string]string{"security": "0"}},
		{romm.Method, map[string]string{"lambda": "0"}},
	} {
		for _, set := range []map[string]string{nil, c.all} {
			notes, _ := said(t, c.method, gains(t, false), set)
			for name, want := range map[string]bool{"normal": true, "gain": set != nil} {
				if strings.Contains(notes, strings.Replace(note, "%", name, 1)) != want {
					t.Errorf("%s, %v: notes %s", c.method.Name, set, notes)
				}
			}
		}
	}
}

// Columns with the same figures share a sentence; where less than a tenth of a value is let through nothing can be
// corrected.
func TestGroupMeans(t *testing.T) {
	tab := gains(t, false)
	for security, want := range map[string]string{
		"0.5":  `mean of "gain", "normal" in a group: (m - 0.5 f) / 0.5, where`,
		"0.95": `mean of "gain", "normal" in a group: nothing more of it is released`,
	} {
		_, c := said(t, gadp.GADP, tab, map[string]string{"security": security})
		if !strings.Contains(c, want) || strings.Contains(c, "by 2") != (security == "0.5") {
			t.Errorf("security %s: corrections %s", security, c)
		}
	}
	if _, c := said(t, additivenoise.Correlated, tab, nil); strings.Contains(c, "times 1,") {
		t.Errorf("corrections %s", c)
	}
}
