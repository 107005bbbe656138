package anatomy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// patients are the microdata of Xiao & Tao 2006, table 1.
func patients(t testing.TB) *table.Table {
	ages := table.NumColumn("age", 1, []float64{23, 27, 35, 59, 61, 65, 65, 70})
	sex := table.CatColumn("sex", []string{"F", "M"}, []int32{1, 1, 1, 1, 0, 0, 0, 0})
	zip := table.NumColumn("zipcode", 1000, []float64{11000, 13000, 59000, 12000, 54000, 25000, 25000, 30000})
	disease := table.CatColumn("disease", []string{"bronchitis", "dyspepsia", "flu", "gastritis", "pneumonia"},
		[]int32{4, 1, 1, 4, 2, 3, 2, 0})
	disease.Role = table.Confidential
	return tabletest.Of(t, ages, sex, zip, disease)
}

// Of the paper's eight patients come four groups of two diseases each, with any key. Who has which is dealt out, and
// nothing else changes; the re-construction error of the groups is the least that there is, n (1 - 1/l) = 4 (theorems 2
// and 4).
func TestPatients(t *testing.T) {
	in := patients(t)
	partners := map[int]bool{}
	for seed := range byte(40) {
		plan := must.Get(New().Fit(t.Context(), in, protecttest.Seed(seed)))(t)
		p := plan.(*Plan)
		of, n, err := p.groups(in)
		if err != nil || n != 4 {
			t.Fatalf("%d groups, error %v", n, err)
		}
		out := must.Get(p.Apply(in, protecttest.Seed(seed+100)))(t)
		for g := range n {
			rows := members(of, int32(g))
			was, is := values(in, 3, rows), values(out, 3, rows)
			if len(rows) != 2 || was[0] == was[1] || !slices.Equal(was, is) {
				t.Fatalf("group %d holds %d records, with %v released as %v", g, len(rows), was, is)
			}
			if slices.Contains(rows, 0) {
				partners[rows[0]+rows[1]] = true
			}
		}
		protecttest.Near(t, "re-construction error", reconstruction(in, 3, of, n), 4, 1e-12)
	}
	if len(partners) != 2 { // in the second round or the third, with the first or the last disease that is left
		t.Errorf("over 40 keys the first patient meets %d others, expected 2", len(partners))
	}
}

// members returns the rows of a group, ascending.
func members(of []int32, g int32) (rows []int) {
	for i, x := range of {
		if x == g {
			rows = append(rows, i)
		}
	}
	return rows
}

// values returns the codes of rows, ascending.
func values(t *table.Table, j int, rows []int) []int32 {
	var out []int32
	for _, i := range rows {
		out = append(out, t.Cat(j)[i])
	}
	slices.Sort(out)
	return out
}

// reconstruction is the re-construction error of Xiao & Tao 2006, equations 10 and 11, term by term.
func reconstruction(t *table.Table, j int, of []int32, n int) float64 {
	sum := 0.0
	for g := range n {
		rows := members(of, int32(g))
		for _, i := range rows {
			for v := range t.Attr(j).Labels {
				count := 0.0
				for _, k := range rows {
					if t.Cat(j)[k] == int32(v) {
						count++
					}
				}
				d := count / float64(len(rows))
				if t.Cat(j)[i] == int32(v) {
					d--
				}
				sum += d * d
			}
		}
	}
	return sum
}

// On random tables the groups are those of the paper's text, followed step by step: in round g one record of each of
// the l values that most records have left, of equally many the first; then every record that is left in a group
// without its value. Nobody who has a value is left out, values are different in a group, and the error is as in
// theorem 4.
func TestTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		l := rapid.IntRange(2, 4).Draw(r, "l")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 6), 0, 60).Draw(r, "codes")
		c := table.CatColumn("s", []string{"a", "b", "c", "d", "e", "f", "g"}, codes)
		tab := tabletest.Of(t, c)
		counts := tally(codes, 7)
		all, most := 0, 0
		for _, n := range counts {
			all, most = all+n, max(most, n)
		}
		p := &Plan{Attrs: tab.Attrs(), L: l, Key: make([]byte, 32)}
		p.Key[0] = byte(rapid.IntRange(0, 255).Draw(r, "key"))
		of, n, err := p.groups(tab)
		if most*l > all {
			if err == nil || strings.Contains(err.Error(), "\n") {
				r.Fatalf("error %v of counts %v", err, counts)
			}
			return
		}
		if err != nil || n != all/l {
			r.Fatalf("%d groups of %d records, error %v", n, all, err)
		}
		for g := range n {
			want := round(counts, l)
			got := values(tab, 0, members(of, int32(g)))
			if len(slices.Compact(slices.Clone(got))) != len(got) {
				r.Fatalf("group %d has a value twice: %v", g, got)
			}
			for _, v := range want {
				if !slices.Contains(got, v) {
					r.Fatalf("group %d has the values %v, not %v", g, got, want)
				}
			}
		}
		for i, g := range of {
			if (g >= 0) != (codes[i] >= 0) {
				r.Fatalf("row %d of value %d is in group %d", i, codes[i], g)
			}
		}
		rce := float64(all) * (1 - 1/float64(l)) // theorem 4: with a remainder of k, more by 1 + k / (n (l - 1))
		if all > 0 {
			rce *= 1 + float64(all%l)/float64(all*(l-1))
		}
		protecttest.Near(t, "re-construction error", reconstruction(tab, 0, of, n), rce, 1e-9)
	})
}

// round takes one of each of the l largest counts, and returns which.
func round(counts []int, l int) (taken []int32) {
	for len(taken) < l {
		best := -1
		for v, n := range counts {
			if n > 0 && !slices.Contains(taken, int32(v)) && (best < 0 || n > counts[best]) {
				best = v
			}
		}
		taken = append(taken, int32(best))
	}
	for _, v := range taken {
		counts[v]--
	}
	return taken
}

// Which record of a value comes into which group is drawn evenly: of ten that have the value a, each meets the only one
// of b nearly as often. With 4,000 fixed keys chi-square is below 33.7, which by chance it exceeds once in 10,000.
func TestDrawnEvenly(t *testing.T) {
	codes := make([]int32, 21)
	for i := range codes {
		codes[i] = int32(i / 10) // ten a, ten b, one c
	}
	tab := tabletest.Of(t, table.CatColumn("s", []string{"a", "b", "c"}, codes))
	met := make([]int, 20)
	for k := range 4000 {
		src := rng.New([32]byte{byte(k), byte(k >> 8)})
		of, _ := group(tab, 0, 2, src)
		for _, i := range members(of, of[20]) {
			if i < 20 {
				met[i]++
			}
		}
	}
	for v := range 2 {
		sum, chi := 0, 0.0
		for _, n := range met[10*v : 10*v+10] {
			sum += n
		}
		for _, n := range met[10*v : 10*v+10] {
			d := float64(n) - float64(sum)/10
			chi += d * d / (float64(sum) / 10)
		}
		if chi > 33.7 {
			t.Errorf("chi-square is %.1f: %v", chi, met)
		}
	}
}

// A plan applied to the same records again forms the same groups, in any order of the records, so that two releases
// cannot be intersected; and the segments are the groups.
func TestSameGroups(t *testing.T) {
	tab := protecttest.Mixed(500)
	plan := must.Get((&Technique{L: 3, Column: []string{"city"}}).Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	p := plan.(*Plan)
	back := make([]int, tab.Rows())
	for i := range back {
		back[i] = len(back) - 1 - i
	}
	one, _, _ := p.groups(tab)
	two, _, _ := p.groups(tab.Gather(back))
	for i, g := range one {
		if two[back[i]] != g {
			t.Fatalf("row %d is in group %d, and in %d in another order", i, g, two[back[i]])
		}
	}
	s := must.Get(p.Divide(tab))(t)
	keys := make([]uint64, tab.Rows())
	must.NoError(t, s.(*segment.Groups).Route(tab, keys))
	of := map[uint64]int32{}
	for i, k := range keys {
		if g, ok := of[k]; ok && g != one[i] {
			t.Fatalf("groups %d and %d are one segment", g, one[i])
		}
		of[k] = one[i]
	}
}

// What cannot be separated is refused in one line that says what to do.
func TestRefusals(t *testing.T) {
	tab := protecttest.Mixed(300)
	for _, c := range []struct {
		set  Technique
		want string
	}{
		{Technique{L: 2, Column: []string{"age"}}, "is numeric; expected categories"},
		{Technique{L: 2, Column: []string{"nobody"}}, "there is no column \"nobody\""},
		{Technique{L: 2, Column: []string{"city", "sex"}}, "2 columns; expected one"},
		{Technique{L: 5, Column: []string{"size"}}, "l can be at most 3"},
	} {
		_, err := c.set.Fit(t.Context(), tab, protecttest.Seed(1))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: error %v, expected %q", c.set, err, c.want)
		}
	}
	for want, damage := range map[string]func(p *Plan){
		"column 99":            func(p *Plan) { p.Column = 99 },
		"is numeric":           func(p *Plan) { p.Column = 0 },
		"l is 1":               func(p *Plan) { p.L = 1 },
		"key of the groups ha": func(p *Plan) { p.Key = p.Key[:5] },
	} {
		plan := must.Get((&Technique{L: 2, Column: []string{"city"}}).Fit(t.Context(), tab, protecttest.Seed(1)))(t)
		damage(plan.(*Plan))
		if err := plan.(*Plan).Check(); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}
