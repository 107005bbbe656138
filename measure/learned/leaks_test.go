package learned

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// A secret that is a function of a kept column with a value of its own for everybody is read off, and nothing is
// learned of others by it.
func TestACodeOfItsOwn(t *testing.T) {
	tab := town(t, 500, 0, 21)
	labels, codes := make([]string, 0, 500), make([]int32, 500)
	for i := range codes {
		labels, codes[i] = append(labels, string(rune('A'+i%26))+string(rune('A'+i/26))), int32(i)
	}
	cols := append(tab.Columns(), table.CatColumn("code", labels, codes))
	tab = tabletest.Of(t, cols...)
	who := &intruder.Intruder{Name: "x", Knows: []string{"age", "height", "code"}, Secret: []string{"sick"}}
	v, d := take(t, (&measure.Release{Original: tab, Released: shuffled(tab, 3, 0, 1, 2), Paired: true}).Against(who), nil)
	if v.Lo < 0.85 || !slices.Contains(d.Attack().Knows, "code") {
		t.Errorf("%+v", d)
	}
}

// Segments that have one value each tell it of the people in them, and of anybody like them: a note says so. A segment
// of everybody tells nothing.
func TestSegmentsOfOneClass(t *testing.T) {
	const n, groups = 600, 200
	tab := town(t, n, 0, 22)
	of, labels, sick := make([]int32, n), make([]string, groups), make([]int32, n)
	for g := range labels {
		labels[g] = string(rune('A'+g%26)) + string(rune('A'+g/26))
	}
	for i := range of {
		of[i] = int32(i % groups)
		sick[i] = int32(mix(int(of[i])) >> 7 & 1)
	}
	tab = tabletest.Of(t, append(tab.WithCat(3, sick).Columns(), table.CatColumn("ward", labels, of))...)
	who := &intruder.Intruder{Name: "x", Knows: []string{"age", "ward"}, Secret: []string{"sick"}}
	r := &measure.Release{
		Original: tab,
		Released: shuffled(tab, 5, 0, 1),
		Paired:   true,
		Making:   measure.Making{Segments: &segment.ByValues{Schema: tab.Attrs(), Columns: []int{4}}},
	}
	v, d := take(t, r.Against(who), nil)
	if s := d.Secrets[0].Surest; s.Right < 0.99 || s.One < 0.99 || len(v.Notes) != 1 ||
		!strings.Contains(v.Notes[0].String(), "follows from what is known") {
		t.Errorf("of wards of one diagnosis: %+v, %q", s, v.Notes)
	}
	r.Segments = &segment.ByValues{Schema: tab.Attrs()}
	r.Released = shuffled(tab, 6, 0, 1, 2, 4)
	if v, d := take(t, r.Against(who), nil); v.Lo > 0 {
		t.Errorf("of everybody: %v, %+v", v, d)
	}
}

// An intruder who does not know the technique, or a column by which it divides, cannot tell the segment; who knows both
// can, also where the table was restated for the technique and the segments are of the columns that it saw.
func TestWhoCanTellSegments(t *testing.T) {
	tab := town(t, 100, 0, 23)
	saw := tab.Select(2, 3)
	plain := &measure.Release{Original: tab, Released: tab, Paired: true,
		Making: measure.Making{Segments: &segment.ByValues{Schema: tab.Attrs(), Columns: []int{2}}}}
	restated := &measure.Release{Original: tab, Released: tab, Paired: true, Making: measure.Making{
		Reduced: &measure.Release{Original: saw, Released: saw, Paired: true,
			Making: measure.Making{Segments: &segment.ByValues{Schema: saw.Attrs(), Columns: []int{0}}}}}}
	for _, c := range []struct {
		who *intruder.Intruder
		can bool
	}{
		{&intruder.Intruder{Knows: []string{"age"}, Secret: []string{"sick"}}, false},
		{&intruder.Intruder{Knows: []string{"town"}, Secret: []string{"sick"}, Unaware: true}, false},
		{&intruder.Intruder{Knows: []string{"town"}, Secret: []string{"sick"}}, true},
	} {
		for what, r := range map[string]*measure.Release{"as it is": plain, "restated": restated} {
			if got := tells(t, r.Against(c.who)); got != c.can {
				t.Errorf("a table %s: %+v can tell the segment: %v", what, c.who, got)
			}
		}
	}
}

// tells reports whether the attack by segments is played.
func tells(t *testing.T, r *measure.Release) bool {
	t.Helper()
	view := must.Get(r.View())(t)
	g := must.Get(New().newGame(t.Context(), r, view))(t)
	out := must.Get(g.try(t.Context(), g.count, func(int, int) bool { return true }))(t)
	at := len(g.attacks) - 1
	if g.attacks[at].kind != divided || out[0][at-1] == nil {
		t.Fatal("the attacks are others")
	}
	return out[0][at] != nil
}

// Gaps are found by who knows all, and not by who does not know them: the values are shuffled, but who lacks which is
// as it was.
func TestGapsTell(t *testing.T) {
	const n = 400
	tab := town(t, n, 0, 24)
	var cols []table.Column
	for j := range 9 {
		v := make([]float64, n)
		for i := range v {
			if v[i] = float64(mix(i*9+j) % 50); i>>j&1 == 1 {
				v[i] = math.NaN()
			}
		}
		cols = append(cols, table.NumColumn(string(rune('p'+j)), 1, v))
	}
	class := tab.Column(3)
	tab = tabletest.Of(t, append(cols, class)...)
	noisy := tab
	for j := range 9 {
		v := slices.Clone(tab.Num(j))
		for i := range v {
			v[i] += float64(mix(i*9+j+99999)%50) - float64(mix(i*9+j)%50) // NaN stays NaN
		}
		noisy = noisy.WithNum(j, v)
	}
	r := &measure.Release{Original: tab, Released: noisy, Paired: true}
	v, d := take(t, r.Against(&intruder.Intruder{Knows: []string{intruder.All}, Secret: []string{"sick"}}), nil)
	if v.Lo < 0.85 || !d.Attack().Gaps {
		t.Errorf("%+v", d)
	}
}

// Whether the secret is missing is released as it was, and told; people who lack it are not judged.
func TestMissingSecrets(t *testing.T) {
	tab := town(t, 200, 0, 25)
	sick := slices.Clone(tab.Cat(3))
	for i := 0; i < 50; i++ {
		sick[i] = -1
	}
	tab = tab.WithCat(3, sick)
	v, d := take(t, (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(knows),
		map[string]string{"people": "200"})
	if s := d.Secrets[0]; !s.Kept || s.Tried >= 100 || s.Tried < 50 || v.Score != 1 {
		t.Errorf("%+v", s)
	}
	if len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "whether the value is missing") {
		t.Errorf("notes %q", v.Notes)
	}
}

// A number is right within the tolerance; unpaired records have the commonest value for their control.
func TestNumbersAndUnpaired(t *testing.T) {
	tab := town(t, 400, 0, 26)
	who := &intruder.Intruder{Knows: []string{"age", "town", "sick"}, Secret: []string{"height"}}
	off := slices.Clone(tab.Num(1))
	for i := range off {
		off[i] = table.Snap(off[i]+0.5, 0.1) // of 9 centimetres, 0.9 are the tolerance
	}
	age := make([]float64, 400)
	for i := range age {
		age[i] = float64(i)
	}
	tab = tab.WithNum(0, age)
	r := (&measure.Release{Original: tab, Released: tab.WithNum(1, off), Paired: true}).Against(who)
	if v, _ := take(t, r, nil); v.Lo < 0.95 {
		t.Errorf("half a centimetre is off by too much: %+v", v)
	}
	if v, _ := take(t, r, map[string]string{"tolerance": "0.01"}); v.Score > 0.1 {
		t.Errorf("half a centimetre is right: %+v", v)
	}
	r.Paired = false
	v, d := take(t, r, nil)
	if v.Lo < 0.9 || d.Secrets[0].Against.Key() != "measure.learned.control.common" || len(v.Notes) != 1 ||
		!strings.Contains(v.Notes[0].String(), "not paired") {
		t.Errorf("unpaired: %+v, %+v", v, d)
	}
}
