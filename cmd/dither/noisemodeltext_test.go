package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// printed returns what is said of a noise model; false where it is none.
func printed(t *testing.T, l modelfile.Model) (string, bool) {
	t.Helper()
	data := must.Get(modelfile.Encode(l))(t)
	if _, err := modelfile.Decode(data); err != nil {
		return "", false
	}
	path := filepath.Join(t.TempDir(), "law.json")
	must.NoError(t, os.WriteFile(path, data, 0o600))
	var out bytes.Buffer
	must.NoError(t, (&desk.Desk{}).NoiseModelText(&out, path))
	_, text, _ := strings.Cut(out.String(), "\n") // the path is in the first line
	return text, true
}

// eachNumber calls f for every number of a value from JSON, with a function that sets another one in its place.
func eachNumber(v any, at string, set func(any), f func(at string, v float64, set func(any))) {
	switch v := v.(type) {
	case float64:
		f(at, v, set)
	case map[string]any:
		for key, x := range v {
			eachNumber(x, at+"."+key, func(y any) { v[key] = y }, f)
		}
	case []any:
		for k, x := range v {
			eachNumber(x, fmt.Sprint(at, "[", k, "]"), func(y any) { v[k] = y }, f)
		}
	}
}

// baskets returns records of one to four of ten items.
func baskets(rows int) *table.Table {
	sets, names := make([][]int32, rows), make([]string, 10)
	for i := range sets {
		for k := range int32(i%4 + 1) {
			sets[i] = append(sets[i], (int32(i)+3*k)%10)
		}
		slices.Sort(sets[i])
	}
	for k := range names {
		names[k] = fmt.Sprint("item ", k)
	}
	return tabletest.Must(table.SetColumn("bought", names, table.SetsOf(sets, nil)))
}

// Every technique of the catalogue either publishes a noise model, of which each parameter can be read off what
// noise-model prints (another one prints another text), or says why it has none. A quick run reads every third.
func TestEveryNoiseModelIsPrinted(t *testing.T) {
	records := long.Of(60, 200)
	mixed := protecttest.Mixed(records)
	published := 0
	for _, m := range catalog.Methods() {
		var list bytes.Buffer
		must.NoError(t, (&desk.Desk{}).NoiseModelsText(&list, m.Name))
		if !slices.Contains(m.Claims, protect.Publishes) {
			if text := list.String(); !strings.HasPrefix(text, m.Name+": no noise model to publish: ") || m.Unpublished() == "" {
				t.Errorf("%s has no noise model, and %q says not why", m.Name, text)
			}
			continue
		}
		if m.Unpublished() != "" || m.NoModel != "" || !strings.Contains(list.String(), m.Summary) {
			t.Errorf("%s has a noise model, and why it has none: %q %q", m.Name, m.NoModel, list.String())
		}
		tab := mixed
		if m.Purpose == protect.Items {
			tab = baskets(records)
		}
		if published%3 == 0 || long.Enabled() {
			everyParameter(t, m, tab)
		}
		published++
	}
	if published != 12 {
		t.Errorf("%d techniques publish a noise model; is the list of the guide and of this test still right?", published)
	}
}

// everyParameter looks at what is printed of a technique's noise model and of those with one parameter changed.
func everyParameter(t *testing.T, m protect.Method, tab *table.Table) {
	t.Helper()
	p, err := protect.Fit(t.Context(), m.New(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	parts, err := p.(protect.Published).Published()
	if err != nil || len(parts) == 0 {
		t.Fatalf("%s: %d parts, %v", m.Name, len(parts), err)
	}
	law := modelfile.Model{Method: m.Name, Release: modelfile.Release{Records: tab.Rows()}, Parts: parts}
	text, ok := printed(t, law)
	if !ok {
		t.Fatalf("%s: its noise model is not readable", m.Name)
	}
	data := must.Get(json.Marshal(parts))(t)
	var tree any
	must.NoError(t, json.Unmarshal(data, &tree))
	tried := 0
	eachNumber(tree, m.Name, nil, func(at string, v float64, set func(any)) {
		for _, other := range []float64{v * 0.9, v + 1} {
			if other == v {
				continue
			}
			set(other)
			data, _ := json.Marshal(tree)
			set(v)
			changed := law
			changed.Parts = nil
			if json.Unmarshal(data, &changed.Parts) != nil {
				continue
			}
			if now, ok := printed(t, changed); ok {
				if tried++; now == text {
					t.Errorf("%s: %v instead of %v prints the same text", at, other, v)
				}
				return
			}
		}
	})
	if tried == 0 {
		t.Errorf("%s: no parameter was tried", m.Name)
	}
}

// The probabilities are those of the operators, worked out by hand: of 6 combinations one of gamma = 19 stays with
// 19/24; of one item, cut with 3/4, 3/4 + 1/4 x 0.2 stays.
func TestNoiseModelText(t *testing.T) {
	three, keep := 3, 0.25
	for want, p := range map[string]modelfile.Part{
		"kept with probability 0.9, one that is not is added with probability 0.2; of one item: gamma 8,": {
			Items: &modelfile.Items{One: 0.9, Zero: 0.8}},
		"of 1 item up to 3 are kept at first and every other item, those of the record too, is put in with " +
			"probability 0.2, so that 0.8 stay on average; gamma 16,": {Sizes: &modelfile.Sizes{
			Operators: []modelfile.Operator{{Items: 1, Most: &three, Rho: 0.2}}}},
		"of 2 items 1.25 stay on average, every other item is added with probability 0.1; gamma ": {Sizes: &modelfile.Sizes{
			Operators: []modelfile.Operator{{Items: 2, Kept: []float64{0.25, 0.25, 0.5}, Rho: 0.1}}}},
		"kept with probability 0.75, and becomes each of the 2 others with probability 0.125; gamma 6,": {
			Category: &modelfile.Category{Categories: 3, Keep: 0.75}},
		"uniform noise between -3 and 3 is added; what lies outside the range then is released as its nearest end; " +
			"the range of the originals is 0 to 9 in steps of 1": {
			Number: &modelfile.Number{High: 9, Step: 1, Ends: true, Uniform: 3}},
		"standard deviation 2 is added, drawn until it is at least 0.5 from 0; the range of the originals is 0 to 9": {
			Number: &modelfile.Number{High: 9, Normal: 2, Epsilon: 1}},
		"a value is kept with probability 0.25, and otherwise drawn evenly from the range": {
			Number: &modelfile.Number{High: 9, Keep: &keep}},
		"the middle of a value's class is released, one of 5 classes": {Number: &modelfile.Number{High: 9, Classes: 5}},
	} {
		p.Columns = []string{"x"}
		if text, ok := printed(t, modelfile.Model{Parts: []modelfile.Part{p}}); !ok || !strings.Contains(text, want) {
			t.Errorf("%q, expected %q", text, want)
		}
	}
	for want, p := range map[string]modelfile.Part{
		"x and y as one: a record keeps all its categories with probability 0.7917, and gets each of the other 5 " +
			"combinations with probability 0.04167; gamma 19,": {Record: &modelfile.Record{Gamma: 19, Categories: []int{2, 3}}},
		"x and y as one: all are released as they are with probability 0.7, and all as the other value with " +
			"probability 0.3": {Group: &modelfile.Group{Theta: 0.7}},
	} {
		p.Columns = []string{"x", "y"}
		if text, ok := printed(t, modelfile.Model{Parts: []modelfile.Part{p}}); !ok || !strings.Contains(text, want) {
			t.Errorf("%q, expected %q", text, want)
		}
	}
}
