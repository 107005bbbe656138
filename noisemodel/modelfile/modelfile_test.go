package modelfile

import (
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

func law() Model {
	most, keep := 3, 0.25
	return Model{Method: "mask", Release: Release{Records: 3, SHA256: "ab"}, Parts: []Part{
		{Columns: []string{"bought <&>"}, Items: &Items{0.9, 0.97}},
		{
			Columns: []string{"seen"},
			Sizes: &Sizes{
				Operators: []Operator{{Items: 0, Kept: []float64{1}}, {Items: 2, Most: &most, Rho: 0.2}},
				Records:   []int{2, -1, 0},
			},
		},
		{Columns: []string{"a", "b"}, Record: &Record{19, []int{3, 4}}},
		{Columns: []string{"sex"}, Category: &Category{2, 0.75}},
		{Columns: []string{"c", "d"}, Group: &Group{0.8}},
		{Columns: []string{"age"}, Number: &Number{Low: 0, High: 100, Step: 1, Ends: true, Normal: 20, Epsilon: 4}},
		{Columns: []string{"pay"}, Number: &Number{Low: 0, High: 5e4, Keep: &keep}},
	}}
}

// A law is read as it was written; a list of a million numbers is a line.
func TestRoundTrip(t *testing.T) {
	data := must.Get(Encode(law()))(t)
	if n := strings.Count(string(data), "\n"); n != 15 {
		t.Errorf("%d lines:\n%s", n, data)
	}
	back := must.Get(Decode(data))(t)
	want := law()
	want.Schema, want.Notice = Schema, notice
	if !reflect.DeepEqual(*back, want) {
		t.Errorf("%+v, expected %+v", back, want)
	}
}

func TestRefused(t *testing.T) {
	for want, change := range map[string]func(l *Model){
		`column "sex" already has a noise model`:      func(l *Model) { l.Parts[0].Columns[0] = "sex" },
		"part 1: there are 0 noise models":            func(l *Model) { l.Parts[0].Items = nil },
		"part 1: there are 2 noise models":            func(l *Model) { l.Parts[0].Group = &Group{0.5} },
		"part 4: such a noise model has one column":   func(l *Model) { l.Parts[3].Columns = []string{"x", "y"} },
		"part 1: 1.5 is not a probability":            func(l *Model) { l.Parts[0].Items.One = 1.5 },
		"the numbers of items are of 3 records":       func(l *Model) { l.Release.Records = 4 },
		"there is no operator for records of 1 items": func(l *Model) { l.Parts[1].Sizes.Records[0] = 1 },
		"the operators are not in ascending order": func(l *Model) {
			l.Parts[1].Sizes.Operators[0] = l.Parts[1].Sizes.Operators[1]
		},
		"expected the most that are cut": func(l *Model) {
			l.Parts[1].Sizes.Operators[1].Kept = []float64{1}
		},
		"there are 1 probabilities; expected 2":             func(l *Model) { l.Parts[1].Sizes.Operators[0].Items = 1 },
		"gamma is 0.5":                                      func(l *Model) { l.Parts[2].Record.Gamma = 0.5 },
		"a number of categories for every column":           func(l *Model) { l.Parts[2].Record.Categories = []int{3} },
		"expected two categories or more":                   func(l *Model) { l.Parts[3].Category.Categories = 1 },
		"part 5: -1 is not a probability":                   func(l *Model) { l.Parts[4].Group.Theta = -1 },
		"expected one of uniform, normal, keep and classes": func(l *Model) { l.Parts[5].Number.Classes = 3 },
		"part 6: epsilon of epsilon-Gaussian":               func(l *Model) { l.Parts[5].Number.Epsilon = -1 },
		"part 6: epsilon belongs": func(l *Model) {
			l.Parts[5].Number.Normal,
				l.Parts[5].Number.Uniform = 0, 1
		},
		"part 6: the range of the originals":      func(l *Model) { l.Parts[5].Number.Low = 101.5 },
		"part 7: nothing that is released leaves": func(l *Model) { l.Parts[6].Number.Ends = true },
		"part 7: 1.25 is not a probability":       func(l *Model) { *l.Parts[6].Number.Keep += 1 },
		"part 7: expected up to 65,536 classes": func(l *Model) {
			l.Parts[6].Number.Keep,
				l.Parts[6].Number.Classes = nil, -1
		},
		"part 5 names no columns": func(l *Model) { l.Parts[4].Columns = nil },
	} {
		l := law()
		change(&l)
		data := must.Get(Encode(l))(t)
		if _, err := Decode(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	for text, want := range map[string]string{
		`{"schema":"dither/plan/1"}`: `expected "dither/law/1"`, `{"schema":"dither/law/1","seed":"x"}`: "unknown field", `{"schema":"dither/law/1"} 1`: "something follows", "": "EOF",
	} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	data, _ := Encode(law())
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Decode(data)
		if err != nil {
			return
		}
		again := must.Get(Encode(*l))(t)
		if _, err := Decode(again); err != nil {
			t.Fatalf("what was read is not: %v\n%s", err, again)
		}
	})
}
