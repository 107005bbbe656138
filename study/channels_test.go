package study

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// What is handed to measures says where records stand in a file that goes out in a random order, and nothing where
// their order is kept.
func TestPlaces(t *testing.T) {
	in := WithoutIdentifiers(patients(t, 50))
	order := rand.New(rand.NewPCG(2, 2)).Perm(50)
	places := Places(in.Gather(order), in)
	for place, row := range order {
		if int(places[row]) != place {
			t.Fatalf("row %d is at %d, expected %d", row, places[row], place)
		}
	}
	if Places(in, in) != nil || InFile(in) != nil {
		t.Error("records in their order have places")
	}
	if got := InFile(in.Gather(order)); !slices.Equal(got, func() []int32 {
		out := make([]int32, 50)
		for i, row := range order {
			out[i] = int32(row)
		}
		return out
	}()) {
		t.Errorf("rows of a file that were put in another order are at %v", got)
	}
	for _, shuffle := range []bool{false, true} {
		p := must.Get(Protect(context.Background(),
			Request{Table: in, Method: framework.Framework, Seed: rng.SeedOf([32]byte{1}), KeepOrder: !shuffle}))(t)
		r := must.Get(p.Release(nil))(t)
		if (r.Places != nil) != shuffle {
			t.Errorf("in a random order %v: places %v", shuffle, r.Places)
		}
		for i, at := range r.Places {
			if p.Output.ID(int(at)) != p.Released.ID(i) {
				t.Fatalf("row %d is not at place %d", i, at)
			}
		}
		again, err := r.Again(context.Background(), in.Slice(0, 30), rng.New([32]byte{2}))
		if err != nil || again.Rows() != 30 {
			t.Errorf("the release of 30 people: %v", err)
		}
	}
}

func TestPersons(t *testing.T) {
	tab := tabletest.Must(table.CatColumn("patient", []string{"a", "b"}, []int32{1, 0, -1, 1}),
		table.NumColumn("x", 1, []float64{1, 2, 3, 4}))
	of := Persons(tab, []string{"patient", "nothere"})
	p := of["patient"]
	if len(of) != 1 || len(p) != 3 || p[0] != p[3] || p[0] == p[1] {
		t.Errorf("%v", of)
	}
}

// Who is not in the earlier release has no value there, and neither has a column that it lacks; new labels are kept.
func TestBeside(t *testing.T) {
	released := tabletest.Must(table.NumColumn("x", 1, []float64{1, 2, 3}),
		table.CatColumn("c", []string{"a", "b"}, []int32{0, 1, 0}), table.NumColumn("y", 1, []float64{7, 8, 9}))
	earlier := tabletest.Must(table.CatColumn("c", []string{"new", "a"}, []int32{0, 1}),
		table.NumColumn("x", 1, []float64{10, 20}))
	got := must.Get(Beside(released, earlier, []int{1, -1, 0}))(t)
	if x := got.Num(0); x[0] != 20 || !math.IsNaN(x[1]) || x[2] != 10 || !got.MissingAt(0, 2) || got.Cat(1)[1] != -1 {
		t.Errorf("%v %v", got.Num(0), got.Cat(1))
	}
	if l := got.Attr(1).Labels; l[got.Cat(1)[0]] != "a" || l[got.Cat(1)[2]] != "new" {
		t.Errorf("labels %v, codes %v", l, got.Cat(1))
	}
}

// TestFurther: what the release lacks or says in other words is there in its order, and what it says in the same words
// is not.
func TestFurther(t *testing.T) {
	released := tabletest.Of(t, table.CatColumn("same", []string{"x", "y", "z"}, []int32{0, 1, 2}),
		table.CatColumn("coarser", []string{"0-9", "10-19"}, []int32{0, 0, 1}),
		table.NumColumn("kind", 1, []float64{1, 2, 3}))
	earlier := tabletest.Of(t, table.CatColumn("same", []string{"y", "x"}, []int32{0, 1}),
		table.CatColumn("coarser", []string{"0-4", "10-19"}, []int32{0, 1}),
		table.CatColumn("kind", []string{"1-5"}, []int32{0, 0}), table.NumColumn("new", 1, []float64{7, 8}))
	got := Further(released, earlier, []int{1, -1, 0})
	var names []string
	for _, a := range got.Attrs() {
		names = append(names, a.Name)
	}
	if !slices.Equal(names, []string{"coarser", "kind", "new"}) {
		t.Fatalf("%v", names)
	}
	if v := got.Num(2); v[0] != 8 || v[1] == v[1] || v[2] != 7 || got.Cat(0)[1] != -1 || got.Cat(0)[0] != 1 {
		t.Errorf("%v, %v", v, got.Cat(0))
	}
	if Further(released, earlier.Select(0), []int{0, 1, 0}) != nil {
		t.Error("what the release says in the same words tells more")
	}
	if b, err := Beside(released, earlier, []int{1, -1, 0}); err != nil || b.Num(2)[0] == b.Num(2)[0] || b.Cat(0)[0] != 0 {
		t.Errorf("of another kind: %v", err)
	}
}

// TestNumbered: one column of categories, or of numbers, whether they are whole and close together or not, is numbered
// as it is beside one that is always the same.
func TestNumbered(t *testing.T) {
	labels, gone := []string{"a", "b", "c", "d"}, math.NaN()
	cat := table.Column{Attribute: table.Attribute{Name: "c", Kind: table.Categorical, Labels: labels},
		Cat: []int32{2, -1, 0, 2, 3, 0, -1}}
	num := table.Column{Attribute: table.Attribute{Name: "n"},
		Num: []float64{5, gone, 0, 5, 7, math.Copysign(0, -1), gone}}
	same := table.Column{Attribute: table.Attribute{Name: "same"}, Num: make([]float64, 7)}
	of := func(name string, by float64, from float64) table.Column {
		out := table.Column{Attribute: table.Attribute{Name: name}, Num: make([]float64, len(num.Num))}
		for i, v := range num.Num {
			out.Num[i] = v*by + from
		}
		return out
	}
	tab := tabletest.Of(t, cat, num, same, of("far", 1e9, 0), of("tenth", 0.1, 0), of("low", 1, -1e12))
	for _, name := range []string{"c", "n", "far", "tenth", "low"} {
		want := []int32{0, -1, 1, 0, 2, 1, -1}
		if got := numbered(tab, []string{name}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, expected %v", name, got, want)
		}
		if got := numbered(tab, []string{name, "same"}); !slices.Equal(got, want) {
			t.Errorf("%s beside another: %v, expected %v", name, got, want)
		}
	}
}
