package desk

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/policy"
)

// TestCompareDocument: every figure of the document is that of the comparison, under the names of its data set, setting
// and measure.
func TestCompareDocument(t *testing.T) {
	f := newFolder(t)
	q := comparison(t, f)
	q.Measures = []string{"accuracy", "bias"}
	c := must.Get((&Desk{Version: "v"}).Compare(ctx, q))(t)
	d := c.Document()
	if d.Version != "v" || d.Commitment != c.Commitment || len(d.Cells) != len(c.Cells) ||
		len(d.Summaries) != len(c.Summaries) {
		t.Fatalf("%s, %d cells, %d summaries", d.Version, len(d.Cells), len(d.Summaries))
	}
	if s := d.Data[0]; s.File != c.Data[0].File || s.Class != "y" || s.Classes != 2 || s.Records != 60 || s.Columns != 4 {
		t.Errorf("%+v", s)
	}
	equal := func(a Number, b float64) bool { return float64(a) == b || math.IsNaN(float64(a)) && math.IsNaN(b) }
	for i, got := range d.Cells {
		want := c.Cells[i]
		if got.Setting != c.Settings[want.Setting].Name || got.Fold != want.Fold || got.Repeat != want.Repeat ||
			got.Data != "people" ||
			len(got.Scores) != 2 ||
			got.Seconds != nil {
			t.Errorf("cell %d: %+v", i, got)
		}
		for m, s := range got.Scores {
			w := want.Scores[m]
			if s.Measure != c.Measures[m].Label || !equal(s.Score, w.Score) || !equal(s.Lo, w.Lo) || !equal(s.Hi, w.Hi) ||
				len(s.Parts) != len(w.Parts) {
				t.Errorf("cell %d, measure %d: %+v of %+v", i, m, s, w)
			}
		}
	}
	for i, got := range d.Summaries {
		w := c.Summaries[i]
		if got.Setting != c.Settings[w.Setting].Name || got.Measure != c.Measures[w.Measure].Label || got.Part != w.Part ||
			got.Of != w.Of || got.Cells != w.Cells || got.Failed != w.Failed ||
			!equal(got.Mean, w.Mean) ||
			!equal(got.SD, w.SD) ||
			!equal(got.Lo, w.Lo) ||
			!equal(got.Hi, w.Hi) ||
			len(got.Folds) != len(w.Folds) ||
			!equal(got.Folds[1], w.Folds[1]) {
			t.Errorf("summary %d: %+v of %+v", i, got, w)
		}
	}
}

// TestPublic: what is published of a release holds neither parameters nor corrections.
func TestPublic(t *testing.T) {
	f := newFolder(t)
	for _, public := range []bool{false, true} {
		p, _ := release(t, f, func(q *ProtectRequest) { q.Said.Method.Name, q.Said.Public = "kim", public })
		e, _ := evaluate(
			t,
			EvaluateRequest{
				Source:   Source{Path: f.path("people.csv"), Said: policy.Policy{Public: public, Class: "y"}},
				Released: p.Files.Release,
				Plan:     p.Files.Plan,
				Measures: []string{"bias"},
			},
		)
		for name, d := range map[string]any{"protect": p.Document(), "evaluate": e.Document()} {
			data, err := json.Marshal(d)
			if err != nil || bytes.Contains(data, []byte(`"corrections"`)) == public ||
				bytes.Contains(data, []byte(`"parameters"`)) == (public || name == "evaluate") {
				t.Errorf("%s, public %v: %.300s, %v", name, public, data, err)
			}
		}
	}
}

// TestEveryMiner: what any miner finds is written whole, as text and as JSON.
func TestEveryMiner(t *testing.T) {
	f := newFolder(t)
	src := Source{Path: f.people(t, 60), Said: policy.Policy{Class: "y"}}
	law, err := modelfile.Encode(modelfile.Model{Method: "agrawalsrikant"}) // of a release as it is
	must.NoError(t, err)
	path := f.put(t, "law.json", string(law))
	for _, miner := range catalog.Miners() {
		q := MineRequest{Source: src, Miner: miner.Name}
		if l, ok := miner.New().(mine.LawLearner); ok && l.NeedsLaw() {
			q.Law = path
		}
		m, err := (&Desk{}).Mine(ctx, q)
		if err != nil {
			if strings.Contains(err.Error(), "people.csv: ") { // it says why the table is not for it
				continue
			}
			t.Errorf("%s: %v", miner.Name, err)
			continue
		}
		if !json.Valid(m.Document.Model) || string(m.Document.Model) == "null" || m.Document.Schema != "dither/model/1" ||
			m.Document.Miner != miner.Name ||
			m.Text == "" {
			t.Errorf("%s: %.200s", miner.Name, m.Document.Model)
		}
	}
}
