package relation_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/relation/relationtest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func numbers(name string, lo, hi float64, v ...float64) table.Column {
	return table.Column{Attribute: table.Attribute{Name: name, Step: 1, Domain: table.Interval{Lo: lo, Hi: hi}}, Num: v}
}

func texts(name string, labels []string, codes ...int32) table.Column {
	return table.Column{Attribute: table.Attribute{Name: name, Kind: table.Categorical, Labels: labels}, Cat: codes}
}

// restated makes a table, and how it is restated for relations.
func restated(t *testing.T, relations []string, cols ...table.Column) (
	*table.Table, *relation.Restatement, []relation.Left) {
	t.Helper()
	tab := must.Get(table.New(cols...))(t)
	var list []relation.Relation
	for _, s := range relations {
		r := must.Get(relation.Parse(s))(t)
		list = append(list, r)
	}
	r, left, err := relation.Restate(tab, list, relation.RestateOptions{})
	must.NoError(t, err)
	return tab, r, left
}

// released restores a release of the reduced table in which some columns were changed.
func released(t *testing.T, tab *table.Table, r *relation.Restatement, cols ...table.Column) *table.Table {
	t.Helper()
	reduced, err := r.Reduce(tab)
	must.NoError(t, err)
	for _, c := range cols {
		if reduced, err = reduced.WithColumn(reduced.Find(c.Name), c); err != nil {
			t.Fatal(err)
		}
	}
	out, _, err := r.Restore(tab, reduced, relation.Draws{Source: rng.New([32]byte{1})})
	must.NoError(t, err)
	return out
}

// TestOrderAtItsEnds: a distance below the least one, and a sum beyond the domain, still make a release in order.
func TestOrderAtItsEnds(t *testing.T) {
	tab, r, _ := restated(t, []string{"a < b"}, numbers("a", 0, 30, 1, 5, 9), numbers("b", 0, 20, 2, 9, 20))
	out := released(t, tab, r, numbers("a", 0, 30, 3, 19, 30), numbers("b", 1, 11, -4, 11, 2))
	if got := out.Num(1); !slices.Equal(got, []float64{4, 20, 31}) {
		t.Errorf("b is %v: above a by a step at least, and inside its domain where the order allows it", got)
	}
}

// TestMissingOrder: where what a column is ordered by is missing, the middle of what is known stands for it.
func TestMissingOrder(t *testing.T) {
	gone := math.NaN()
	tab, r, _ := restated(t, []string{"a <= b"}, numbers("a", 0, 9, 1, 4, gone, 8), numbers("b", 0, 20, 2, 9, 6, gone))
	reduced := must.Get(r.Reduce(tab))(t)
	if got := reduced.Num(1); got[0] != 1 || got[1] != 5 || got[2] != 2 || got[3] == got[3] {
		t.Errorf("the distances are %v", got)
	}
	if out := released(t, tab, r); out.Num(1)[2] != 6 || out.Num(1)[3] == out.Num(1)[3] {
		t.Errorf("b is %v", out.Num(1))
	}
}

// TestSuppressedOrder: where what a column is ordered by is taken away, its distance makes no value.
func TestSuppressedOrder(t *testing.T) {
	tab, r, _ := restated(t, []string{"a <= b"}, numbers("a", 0, 9, 1, 4, 8), numbers("b", 0, 20, 2, 9, 16))
	got := released(t, tab, r, numbers("a", 0, 9, 1, math.NaN(), 8)).Num(1)
	if got[0] != 2 || got[1] == got[1] || got[2] != 16 {
		t.Errorf("b is %v", got)
	}
}

// TestLeftToTheTechnique: columns that a technique makes general together are not taken out, and one that takes values
// away breaks no order.
func TestLeftToTheTechnique(t *testing.T) {
	tab, rels := relationtest.Table(200, 0, 6)
	opt := relation.RestateOptions{Coarse: true, Together: func(c string) bool { return c != "b" }}
	r, _, err := relation.Restate(tab, rels, opt)
	must.NoError(t, err)
	if got := r.Computed(); !slices.Equal(got, []string{"text", "town", "total"}) {
		t.Errorf("%v are computed: sums of columns that are general together are as general as they", got)
	}
	r, left, err := relation.Restate(tab, rels, relation.RestateOptions{Suppresses: true})
	if err != nil || len(left) > 0 {
		t.Fatalf("%v left, %v", left, err)
	}
	for _, kept := range r.Relations() {
		if kept.Kind == relation.Order || kept.Kind == relation.NeverTogether {
			t.Errorf("%s is restated", kept)
		}
	}
}

// TestCategoryInTheMiddle: a category that comes only with a value is taken out wherever it stands among the others.
func TestCategoryInTheMiddle(t *testing.T) {
	gone := math.NaN()
	labels := []string{"alive", "dead", "moved"}
	tab, r, _ := restated(t, []string{"died if state = dead"}, texts("state", labels, 0, 1, 2, 1),
		numbers("died", 0, 99, gone, 5, gone, 7))
	reduced := must.Get(r.Reduce(tab))(t)
	if a := reduced.Attr(0); !slices.Equal(a.Labels, []string{"alive", "moved"}) ||
		!slices.Equal(reduced.Cat(0), []int32{0, -1, 1, -1}) {
		t.Errorf("a technique sees %v in %v", reduced.Cat(0), a.Labels)
	}
	// the technique makes somebody die, and loses a date
	out := released(t, tab, r, numbers("died", 0, 99, 3, 5, gone, gone))
	if got := out.Cat(0); !slices.Equal(got, []int32{1, 1, 2, -1}) {
		t.Errorf("the states are %v of %v", got, out.Attr(0).Labels)
	}
}

// TestRangeDetermines: a range of numbers determines what all numbers in it do, and nothing where these differ.
func TestRangeDetermines(t *testing.T) {
	tab, r, _ := restated(t, []string{"post -> town"}, numbers("post", 10, 90, 10, 20, 90, 20, 30),
		texts("town", []string{"A", "B", "C"}, 0, 1, 2, 1, 1))
	out := released(t, tab, r, texts("post", []string{"[20, 30]", "[10, 20]", "> 80", "*", "[40, 50]"}, 0, 1, 2, 3, 4))
	if got := out.Cat(1); !slices.Equal(got, []int32{1, -1, 2, -1, -1}) {
		t.Errorf("the towns are %v, expected B, none, C, none and none", got)
	}
}

// TestGroupDetermines: a group of codes, of ordered categories or of dates determines what all that it stands for do,
// and nothing where these differ, or where the release has groups of its own.
func TestGroupDetermines(t *testing.T) {
	codes := []string{"S720", "S721", "J180", "J189", "J440", "I100", "I101", "I109"}
	kinds := []string{"fracture", "pneumonia", "bronchitis", "heart"}
	tab, r, _ := restated(t, []string{"code -> kind"}, texts("code", codes, 0, 1, 2, 3, 4, 5, 6, 7),
		texts("kind", kinds, 0, 0, 1, 1, 2, 3, 3, 3))
	out := released(t, tab, r, texts("code", []string{"S72*", "S***", "J18*", "J***", "*", "I***", "I109"},
		0, 1, 2, 3, 4, 5, 5, 6))
	if got := out.Cat(1); !slices.Equal(got, []int32{0, 0, 1, -1, -1, 3, 3, 3}) {
		t.Errorf("the kinds are %v, expected %v, none for J*** and *, and the heart", got, kinds)
	}
	// The release calls a group by one of its values: it stands for others, too.
	out = released(t, tab, r, texts("code", []string{"S720", "J***", "I***"}, 0, 0, 0, 1, 1, 2, 2, 2))
	if got := out.Cat(1); !slices.Equal(got, []int32{-1, -1, -1, -1, -1, 3, 3, 3}) {
		t.Errorf("the kinds of groups with other names are %v", got)
	}

	stage := texts("stage", []string{"I", "II", "III", "IV"}, 0, 1, 2, 3)
	stage.Ordered = true
	tab, r, _ = restated(t, []string{"stage -> care"}, stage, texts("care", []string{"home", "ward"}, 0, 0, 0, 1))
	out = released(t, tab, r, texts("stage", []string{"I .. II", "III .. IV", "*"}, 0, 0, 1, 2))
	if got := out.Cat(1); !slices.Equal(got, []int32{0, 0, -1, -1}) {
		t.Errorf("the care of runs of stages is %v", got)
	}

	born := table.DateColumn("born", calendar.ISO, []float64{0, 40, 400, 4000})
	tab, r, _ = restated(t, []string{"born -> school"}, born, texts("school", []string{"old", "new"}, 0, 0, 0, 1))
	out = released(t, tab, r, texts("born", []string{"1970-Q1", "1971", "1970s", "*"}, 0, 1, 2, 3))
	if got := out.Cat(1); !slices.Equal(got, []int32{0, 0, 0, -1}) {
		t.Errorf("the schools of periods are %v", got)
	}
}

// TestNoGroupTellsMore: whatever a hierarchy makes of a source, what it determines is never tighter than that: every
// value that a released group stands for determines what stands beside it.
func TestNoGroupTellsMore(t *testing.T) {
	given := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 12))
		n := 80
		from := table.DateColumn("x", calendar.ISO, make([]float64, n))
		switch seed % 3 {
		case 0:
			for i := range n {
				from.Num[i] = float64(r.IntN(3000))
			}
		case 1:
			from = numbers("x", 0, 500, make([]float64, n)...)
			for i := range n {
				from.Num[i] = float64(r.IntN(500))
			}
		default:
			var labels []string
			for k := range 25 {
				labels = append(labels, fmt.Sprintf("%c%d%d", 'A'+k%4, k/4, k%7))
			}
			slices.Sort(labels)
			from = texts("x", slices.Compact(labels), make([]int32, n)...)
			for i := range n {
				from.Cat[i] = int32(r.IntN(len(from.Labels)))
			}
		}
		to, gives := texts("y", []string{"p", "q", "r"}, make([]int32, n)...), func(i int) int32 {
			if from.Cat != nil {
				return int32(from.Labels[from.Cat[i]][0]-'A') / 2
			}
			return int32(from.Num[i]) / 1100
		}
		for i := range n {
			to.Cat[i] = gives(i)
		}
		tab, by, _ := restated(t, []string{"x -> y"}, from, to)
		h := hierarchy.Build(&from)
		level := 1 + r.IntN(h.Height())
		groups := must.Get(h.Groups(&from, level))(t)
		out := released(t, tab, by, texts("x", h.Labels(level), groups...))
		for i, y := range out.Cat(1) {
			same := true
			for k := range n {
				if groups[k] == groups[i] && to.Cat[k] != to.Cat[i] {
					same = false
				}
			}
			if same != (y >= 0) || y >= 0 && y != to.Cat[i] {
				t.Fatalf("seed %d: record %d in %s is released with %d, of those of the group %v agree", seed, i,
					h.Labels(level)[groups[i]], y, same)
			}
			if y >= 0 {
				given++
			}
		}
	}
	if given < 1000 {
		t.Errorf("%d values are given: the test shows nothing", given)
	}
}

// TestUnless: a value that comes with all but one category, such as the age of the youngest with children, is there in
// the records of all others, and is 0 in those of the one, whatever the technique makes of both columns.
func TestUnless(t *testing.T) {
	gone := math.NaN()
	tab, r, _ := restated(t, []string{`youngest unless children = "0"`}, numbers("children", 0, 9, 0, 2, 1, 0),
		numbers("youngest", 0, 17, gone, 5, 7, gone))
	// the technique takes an age away, and gives one
	out := released(t, tab, r, numbers("children", 0, 9, gone, 1, 3, gone), numbers("youngest", 0, 17, gone, gone, 4, 6))
	if got := out.Num(0); got[0] != 0 || got[1] != 0 || got[2] != 3 || got[3] == got[3] {
		t.Errorf("%v have children, expected 0, 0, 3 and an unknown number", got)
	}
	tab, r, _ = restated(t, []string{"fee above 0 unless plan = free"},
		texts("plan", []string{"free", "small", "big"}, 0, 1, 2), numbers("fee", 0, 99, 0, 8, 40))
	out = released(t, tab, r, texts("plan", []string{"small", "big"}, -1, 1, 1), numbers("fee", 8, 40, gone, 20, 9))
	if got := out.Num(1); !slices.Equal(out.Cat(0), []int32{0, 2, 2}) || !slices.Equal(got, []float64{0, 20, 9}) {
		t.Errorf("plans %v of %v cost %v", out.Cat(0), out.Attr(0).Labels, got)
	}
	b := must.Get(r.Relations()[0].Bind(tab))(t)
	if checked, broken := b.Count(tab.WithNum(1, []float64{3, 8, 0})); checked != 3 || broken != 2 {
		t.Errorf("%d of %d records break it, expected 2 of 3", broken, checked)
	}
}

// TestWhatFollowsTwice: a column is computed once, and nothing follows from itself.
func TestWhatFollowsTwice(t *testing.T) {
	v := func(k float64) []float64 { return []float64{k, 2 * k, 3 * k} }
	tab, r, left := restated(t, []string{"s = a + b", "s = c + d", "a = s - b + 0"},
		numbers("s", 0, 99, v(10)...), numbers("a", 0, 99, v(4)...), numbers("b", 0, 99, v(6)...),
		numbers("c", 0, 99, v(3)...), numbers("d", 0, 99, v(7)...))
	if got := r.Computed(); len(got) != 2 || got[0] == got[1] || len(left) != 1 {
		t.Fatalf("%v are computed, %v left", got, left)
	}
	out := released(t, tab, r, numbers("b", 0, 99, 1, 2, 3))
	for i := range 3 {
		if s := out.Num(0)[i]; s != out.Num(1)[i]+out.Num(2)[i] || s != out.Num(3)[i]+out.Num(4)[i] {
			t.Errorf("record %d breaks a sum", i)
		}
	}
}

// TestMissingStays: what the original does not say is not computed.
func TestMissingStays(t *testing.T) {
	tab, r, _ := restated(t, []string{"s = a + b"}, numbers("s", 0, 99, 10, math.NaN(), 30),
		numbers("a", 0, 99, 4, 8, 12), numbers("b", 0, 99, 6, 12, 18))
	if got := released(t, tab, r).Num(0); got[0] != 10 || got[1] == got[1] || got[2] != 30 {
		t.Errorf("the sums are %v", got)
	}
}

// TestNearestKey: a number that the original does not have determines what the nearest one does.
func TestNearestKey(t *testing.T) {
	tab, r, _ := restated(t, []string{"post -> town"}, numbers("post", 10, 90, 10, 20, 90, 20),
		texts("town", []string{"A", "B", "C"}, 0, 1, 2, 1))
	out := released(t, tab, r, numbers("post", 10, 90, 14, 17, 70, 90))
	if got := out.Cat(1); !slices.Equal(got, []int32{0, 1, 2, 2}) {
		t.Errorf("the towns are %v", got)
	}
}

// TestSourceDrawnAnew: where a category that determines another is drawn anew, what it determines follows.
func TestSourceDrawnAnew(t *testing.T) {
	n := 60
	ward, name, sex := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range n {
		ward[i], sex[i] = int32(i%3), int32(i%2)
		if ward[i] == 2 {
			sex[i] = 0
		}
		name[i] = ward[i]
	}
	cols := []table.Column{texts("ward", []string{"a", "b", "c"}, ward...),
		texts("name", []string{"Ay", "Bee", "Cee"}, name...), texts("sex", []string{"f", "m"}, sex...)}
	tab, r, _ := restated(t, []string{"ward -> name", "never ward = c and sex = m"}, cols...)
	moved := slices.Repeat([]int32{1}, n)
	out := released(t, tab, r, texts("sex", []string{"f", "m"}, moved...))
	for i := range n {
		if out.Cat(0)[i] != out.Cat(1)[i] || out.Cat(0)[i] == 2 && out.Cat(2)[i] == 1 {
			t.Fatalf("record %d is %d, %d, %d", i, out.Cat(0)[i], out.Cat(1)[i], out.Cat(2)[i])
		}
	}
}

// TestDrawnInsideSegments: a category that is drawn anew is one that the release has in the record's segment.
func TestDrawnInsideSegments(t *testing.T) {
	n := 60
	ward, sex, segments := make([]int32, n), make([]int32, n), make([]uint64, n)
	for i := range n {
		ward[i], segments[i] = int32(i%2), uint64(i%2) // wards a and b stand in the first two segments
		if i%3 == 0 {
			ward[i], segments[i] = 2, uint64(2+i%2) // in the last two stands c alone, and with d
		}
		if i%6 == 3 && i%4 == 1 {
			ward[i] = 3
		}
	}
	wards, sexes := []string{"a", "b", "c", "d"}, []string{"f", "m"}
	tab, r, _ := restated(t, []string{"never ward = c and sex = m"}, texts("ward", wards, ward...),
		texts("sex", sexes, sex...))
	r.Stay = []string{"sex"}
	moved := slices.Repeat([]int32{1}, n)
	reduced := must.Get(tab.WithColumn(1, texts("sex", sexes, moved...)))(t)
	out, did, err := r.Restore(tab, reduced, relation.Draws{Source: rng.New([32]byte{1}), Segments: segments})
	if err != nil || did.Redrawn == 0 {
		t.Fatal(did, err)
	}
	for i, w := range out.Cat(0) {
		want := ward[i]
		if want == 2 {
			want = map[uint64]int32{2: -1, 3: 3}[segments[i]] // nothing else is there, or d
		}
		if w != want || out.Cat(1)[i] != 1 {
			t.Fatalf("record %d of segment %d: ward %d, not %d", i, segments[i], w, want)
		}
	}
}

// TestOneColumnIsDrawn: where a category meets two that it never comes with, it is drawn, and not both of them.
func TestOneColumnIsDrawn(t *testing.T) {
	n := 40
	ward, job, sex := make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range n {
		ward[i], job[i], sex[i] = int32(i%2), int32(i/2%2), int32(i%2)
		if ward[i] == 1 {
			sex[i], job[i] = 0, 1
		} else if sex[i] = 1; job[i] == 1 {
			sex[i] = 0
		}
	}
	labels := []string{"a", "b"}
	tab, r, _ := restated(t, []string{"never ward = b and sex = b", "never job = b and sex = b"},
		texts("ward", labels, ward...), texts("job", labels, job...), texts("sex", labels, sex...))
	moved := must.Get(tab.WithColumn(2, texts("sex", labels, append(slices.Repeat([]int32{1}, n-1), 0)...)))(t)
	out, did, err := r.Restore(tab, moved, relation.Draws{Source: rng.New([32]byte{1})})
	if err != nil || did.Redrawn == 0 {
		t.Fatal(did, err)
	}
	for i := range n {
		if ward[i] == 1 && job[i] == 1 && (out.Cat(0)[i] != 1 || out.Cat(1)[i] != 1 || out.Cat(2)[i] != 0) {
			t.Fatalf("record %d is %d, %d, %d", i, out.Cat(0)[i], out.Cat(1)[i], out.Cat(2)[i])
		}
	}
}

// TestNumbersApart: numbers of few values are drawn anew, too, from those that the release has, unless a sum needs them
// as they are; where there is none that fits, it is missing.
func TestNumbersApart(t *testing.T) {
	n := 60
	grade, stage, both := make([]float64, n), make([]float64, n), make([]float64, n)
	class := make([]int32, n)
	for i := range n {
		grade[i], stage[i], class[i] = float64(1+i%3), float64(i%5), int32(i%2)
		if grade[i] == 3 {
			class[i] = 0
		}
		both[i] = grade[i] + stage[i]
	}
	cols := []table.Column{numbers("grade", 1, 9, grade...), numbers("stage", 0, 9, stage...),
		texts("class", []string{"benign", "malign"}, class...)}
	malign := texts("class", []string{"benign", "malign"}, slices.Repeat([]int32{1}, n)...)
	lists := map[string][]string{"": {`never grade = 3 and class = malign`}}
	lists["sum"] = append(slices.Clone(lists[""]), "both = grade + stage")
	for name, list := range lists {
		own := cols
		if name == "sum" {
			own = append(slices.Clone(cols), numbers("both", 0, 18, both...))
		}
		tab, r, left := restated(t, list, own...)
		if len(left) > 0 {
			t.Fatalf("%v are left", left)
		}
		out := released(t, tab, r, malign)
		for i := range n {
			g, c := out.Num(0)[i], out.Cat(2)[i]
			switch {
			case g == 3 && c == 1:
				t.Fatalf("%s: record %d has a pair that never comes together", name, i)
			case name == "" && (g != grade[i] && (grade[i] != 3 || g != 1 && g != 2) || c != 1):
				t.Fatalf("record %d has grade %v of %v, class %d", i, g, grade[i], c)
			case name == "sum" && (g != grade[i] || out.Num(3)[i] != both[i] || c >= 0 && grade[i] == 3):
				t.Fatalf("record %d of a sum has grade %v of %v, class %d", i, g, grade[i], c)
			}
		}
	}
}
