package hierarchy

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func people(t testing.TB) *table.Table {
	t.Helper()
	city := table.CatColumn("city", []string{"Kiel", "Ulm", "Rome"}, []int32{0, 1, -1, 1})
	city.Role = table.Quasi
	return tabletest.Of(t, table.NumColumn("age", 1, []float64{17, math.NaN(), 40, 90}), city)
}

func recoding(t testing.TB, tab *table.Table) *Recoding {
	t.Helper()
	age := tab.Column(0)
	city := must.Get(Parse("city", strings.NewReader("Ulm;South;*\nKiel;North;*\n")))(t)
	return &Recoding{
		Attrs:   tab.Attrs(),
		Columns: []Raised{{Column: 0, Level: 2, Hierarchy: Intervals(&age)}, {Column: 1, Level: 1, Hierarchy: city}},
	}
}

func TestRecode(t *testing.T) {
	tab := people(t)
	r := recoding(t, tab)
	must.NoError(t, r.Study(tab))
	if r.Columns[0].Rare != 3 || r.Columns[1].Rare != 2 || len(r.Notes()) != 1 ||
		!slices.Equal(r.Changes(), []string{"age", "city"}) {
		t.Errorf("%+v, %q", r.Columns, r.Notes())
	}
	data := must.Get(json.Marshal(r))(t)
	var decoded Recoding
	if err := json.Unmarshal(data, &decoded); err != nil || decoded.Check() != nil {
		t.Fatal(err, decoded.Check())
	}
	var wg sync.WaitGroup
	for _, r := range []*Recoding{r, r, &decoded, &decoded} {
		wg.Go(func() {
			out, err := r.Recode(tab)
			if err != nil {
				t.Error(err)
				return
			}
			if a, c := out.Attr(0), out.Cat(0); a.Labels[c[0]] != "< 20" || c[1] != -1 || a.Labels[c[2]] != "[40, 50)" ||
				!a.Ordered {
				t.Errorf("ages %v of %q", c, a.Labels)
			}
			if a, c := out.Attr(1), out.Cat(1); !slices.Equal(c, []int32{1, 0, -1, 0}) || a.Role != table.Quasi || a.Ordered ||
				a.Labels[1] != "North" {
				t.Errorf("cities %v of %q", c, a.Labels)
			}
		})
	}
	wg.Wait()
	rome := must.Get(tab.WithColumn(1, table.CatColumn("city", tab.Attr(1).Labels, []int32{0, 0, 0, 2})))(t)
	if _, err := r.Recode(rome.Slice(2, 4)); !errors.Is(err, ErrNotCovered) ||
		!strings.Contains(err.Error(), `"city", row 4`) {
		t.Errorf("a city that is not listed: %v", err)
	}
	if level, height, ok := r.Generalised(0); level != 2 || height != r.Columns[0].Hierarchy.Height() || !ok {
		t.Errorf("level %d of %d, %v", level, height, ok)
	}
}

func TestRecodingCheck(t *testing.T) {
	for what, spoil := range map[string]func(*Recoding){
		"out of order":         func(r *Recoding) { slices.Reverse(r.Columns) },
		"outside the schema":   func(r *Recoding) { r.Columns[1].Column = 2 },
		"before the schema":    func(r *Recoding) { r.Columns[0].Column = -1 },
		"no hierarchy":         func(r *Recoding) { r.Columns[0].Hierarchy = nil },
		"level 0":              func(r *Recoding) { r.Columns[1].Level = 0 },
		"a level above":        func(r *Recoding) { r.Columns[1].Level = 3 },
		"the wrong kind":       func(r *Recoding) { r.Columns[1].Hierarchy = r.Columns[0].Hierarchy },
		"a broken hierarchy":   func(r *Recoding) { r.Columns[1].Hierarchy.Up[0][0] = 7 },
		"a group of nothing":   func(r *Recoding) { r.Columns[1].Hierarchy.Up[0] = []int32{1, 1} },
		"a group without name": func(r *Recoding) { r.Columns[1].Hierarchy.Names[1][0] = "" },
		"limits out of order":  func(r *Recoding) { slices.Reverse(r.Columns[0].Hierarchy.Cuts) },
		"groups out of order":  func(r *Recoding) { slices.Reverse(r.Columns[0].Hierarchy.Up[1]) },
		"an endless domain":    func(r *Recoding) { r.Columns[0].Hierarchy.Domain = table.Everything() },
	} {
		r := recoding(t, people(t))
		spoil(r)
		if err := r.Check(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := recoding(t, people(t)).Check(); err != nil {
		t.Error(err)
	}
}

// A column of one number, of none, and of numbers whose limits are no short binary fractions.
func TestIntervalsThroughJSON(t *testing.T) {
	for _, v := range [][]float64{{5, 5}, {math.NaN()}, {}, {0.1, 0.9, 0.3}, {math.Inf(1), 0}, {-1e308, 1e308},
		{0, 1e-310}} {
		c := table.NumColumn("v", 0, v)
		data, err := json.Marshal(Intervals(&c))
		if err != nil {
			t.Fatalf("%v: %v", v, err)
		}
		var h Hierarchy
		if err := json.Unmarshal(data, &h); err != nil || h.Check() != nil || !h.Numeric() {
			t.Errorf("%v: %s: %v, %v", v, data, err, h.Check())
		}
	}
	c := table.NumColumn("v", 0.1, []float64{0, 0.3, 0.7, 3})
	h := Intervals(&c)
	if want := []float64{0.2, 0.4, 0.6}; !slices.Equal(h.Cuts[:3], want) {
		t.Errorf("limits %v, expected %v first", h.Cuts, want)
	}
}

func TestWrite(t *testing.T) {
	const text = "Ulm;South;*\n\"Bad; Tölz\";South;*\nKiel;\"\"\"N\"\"\";*\n"
	h := must.Get(Parse("city", strings.NewReader(text)))(t)
	var b strings.Builder
	if err := h.Write(&b); err != nil || b.String() != text {
		t.Errorf("%q, %v", b.String(), err)
	}
	c := table.NumColumn("v", 1, []float64{1, 9})
	if err := Intervals(&c).Write(&b); err == nil {
		t.Error("intervals are written as a list of values")
	}
}

// Separators inside quotes do not count, missing values and marks of text editors are dropped.
func TestParseOddFiles(t *testing.T) {
	for text, want := range map[string]string{
		"\"a;b\",x,*\nc,x,*\n":              "a;b|c",
		"\n\n31,30s,*\n34,30s,*\n":          "31|34",
		"\ufeffa\tx\nb\tx\n":                "a|b",
		";?;*\na;x;*\n":                     "a",
		" a ;\tx;*\n\"b\r\nc\";x;*\n":       "a|b\nc",
		"34;[30, 40[;*\n41;[40, 50[;*\n":    "34|41",
		"\ufeff\"\ufeffa\";x\n\"a \"\"\";x": "a|a \"",
	} {
		h, err := Parse("v", strings.NewReader(text))
		if err != nil || strings.Join(h.Labels(0), "|") != want {
			t.Errorf("%q: %+v, %v", text, h, err)
		}
	}
	for text, want := range map[string]string{"a;;*\n": "line 1: field 2 is empty", "a;x\nb;\xff\n": "line 2: field 2",
		";x\n": "is empty"} {
		if _, err := Parse("v", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
	// A mark for missing values in the list of a numeric column is no number, and does no harm.
	h := must.Get(Parse("v", strings.NewReader("?;*\n3;*\n")))(t)
	c := table.NumColumn("v", 1, []float64{3, math.NaN()})
	if g, err := h.Groups(&c, 1); err != nil || !slices.Equal(g, []int32{0, -1}) {
		t.Errorf("%v, %v", g, err)
	}
}
