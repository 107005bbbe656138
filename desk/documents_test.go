package desk

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/drift"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/study"
)

// fields adds to all the names of the fields of a JSON value by where they stand; the elements of a list stand in one place.
func fields(v any, at string, all map[string]map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if all[at] == nil {
			all[at] = map[string]bool{}
		}
		for name, inner := range v {
			all[at][name] = true
			fields(inner, strings.TrimPrefix(at+"."+name, "."), all)
		}
	case []any:
		for _, inner := range v {
			fields(inner, at, all)
		}
	}
}

const (
	inFile    = "columns name rows sha256"
	inValue   = "name unit value"
	inMeasure = "better detail hi intruder lo name notes parts score side unit"
)

// golden are the fields of the documents /1. Readers count on them: one that is missing here is a new field, one that is missing from a document has vanished, and needs a new number.
var golden = map[string]map[string]string{
	"inspect": {"": "exposure file profile roles schema", "file": inFile, "profile": "columns rows", "roles": "column given reason roles",
		"profile.columns":         "alone distinct domain kind length missing name step suggestion summary top uniqueness",
		"profile.columns.summary": "max mean median min q1 q3 sd", "profile.columns.domain": "hi lo", "profile.columns.suggestion": "column reason roles",
		"exposure": "belowFive classes k missing quasiIdentifiers rows sizes uniqueMissing uniqueShare uniques worst"},
	"protect": {"": "columns drift files measures method notProtected notes original paper parameters released schema seedCommitment verdict version written", "original": inFile, "released": inFile,
		"drift": "columns leaves planned records", "drift.columns": "chance class missing name newShare newValues outside psi state", "drift.leaves": "chance psi state",
		"verdict.gate": "failed limits notJudged passed state undecided unproven", "verdict.demands.more": "atThisRate ifNone kept most",
		"verdict": "demands gate goodFor limits notFor reasons sentence state unchecked worst", "verdict.demands": "accepted against hi lo max measure min more source standing title unit value why",
		"verdict.reasons": "columns remedy state text", "verdict.worst": "before by gaps hi intruder knows lo people right secret share sure tried without", "verdict.worst.without": "coarse column dropped",
		"columns": "action changed column kind role", "files": "plan record release report", "parameters": inValue, "measures": inMeasure + " error", "measures.parts": "name score"},
	"evaluate": {"": "corrections holdout measures original released schema verdict version", "original": inFile, "released": inFile, "holdout": inFile,
		"measures": inMeasure, "measures.parts": "name score"},
	"attack": {"": "attacks holdout measures original released schema verdict version", "original": inFile, "released": inFile, "attacks": "by further groups groupsBy intruder judged risk riskiest sentences",
		"attacks.groups":    "column group hi lo more people share tried",
		"attacks.sentences": "about measure text", "attacks.riskiest": "risk row", "measures": inMeasure, "measures.parts": "name score"},
	"compare": {"": "cells choice data folds measures ranks repeats schema seedCommitment settings summaries version", "data": "class classes columns file name parameters records", "data.file": inFile,
		"settings": "baseline method name paper parameters varied", "settings.parameters": inValue, "measures": "better label name notes paper parameters said side unit",
		"choice": "accepted axis enough found limit limits notForRelease open sentences take tooClose", "choice.notForRelease": "bound measure setting",
		"summaries": "cells data failed folds hi lo mean measure part sd setting", "ranks": "better data figure measure median q1 q3 rank setting values",
		"cells": "data error fold repeat scores seconds setting", "cells.scores": "error hi lo measure parts score", "cells.scores.parts": "name score"},
	"clusters": {"": "clusters miner model outliers schema similarValues sizes"},
}

// TestGolden: no field of a document vanishes, and none is added in silence.
func TestGolden(t *testing.T) {
	f := newFolder(t)
	src := Source{Path: f.people(t, 60), Class: "y", Roles: []ColumnRole{{Column: "age", Role: 2}}}
	documents := map[string][]any{}
	add := func(name string, document any) { documents[name] = append(documents[name], document) }
	i, err := (&Desk{}).Inspect(ctx, src)
	if err != nil {
		t.Fatal(err)
	}
	add("inspect", i.Document())
	p, _ := release(t, f, func(q *ProtectRequest) { q.Report = f.path("r.html") })
	add("protect", p.Document())
	p, _ = release(t, f, func(q *ProtectRequest) { q.Method, q.PlanOut, q.Release = "kim", f.path("kim.json"), f.path("kim.csv") })
	e, _ := evaluate(t, EvaluateRequest{Source: src, Released: p.Files.Release, Plan: p.Files.Plan, Holdout: src.Path, Measures: []string{"accuracy", "linkage"},
		Intruders: Intruders{Declared: []intruder.Intruder{{Name: "neighbour", Knows: []string{"city"}}}}})
	add("evaluate", e.Document())
	r, err := (&Desk{}).Attack(ctx, AttackRequest{EvaluateRequest{Source: src, Released: p.Files.Release, Plan: p.Files.Plan, Measures: []string{"linkage", "reidentification"}}, 1})
	if err != nil {
		t.Fatal(err)
	}
	add("attack", r.Document())
	c, err := (&Desk{}).Compare(ctx, CompareRequest{Tables: []Source{src}, Methods: []string{"framework", "tdp"}, Measures: []string{"accuracy", "bias", "ruletypes"}, Folds: 2, Repeats: 2, Times: true,
		Set: []Assignment{{"framework.spread", "5,10"}, {"minLeaf", "5"}}})
	if err != nil {
		t.Fatal(err)
	}
	add("compare", c.Document())
	for _, miner := range []string{"kmeans", "detective"} {
		m, err := (&Desk{}).Mine(ctx, MineRequest{Source: src, Miner: miner, Clusters: true})
		if err != nil {
			t.Fatal(err)
		}
		add("clusters", m.Document)
	}
	// What these tables have no cause for: notes, records as risky as the last one listed, ranks, failures, outliers.
	one := 1.0
	add("protect", ProtectDocument{Schema: "dither/protect/1", Files: Files{Record: "r"}, Drift: &drift.Report{Columns: []drift.Shift{{Class: true}}, Leaves: &drift.Figure{}},
		Verdict: &study.Verdict{Gate: study.Gate{NotJudged: []string{"n"}, Undecided: []string{"u"}}, Sentence: "s", GoodFor: []string{"g"}, NotFor: []string{"n"}, Unchecked: []string{"u"},
			Demands: []study.Demand{{Max: &one, Min: &one, Value: &one, Lo: &one, Hi: &one, Unit: measure.In(measure.Ratio, "u"), Against: "a", Why: "w", Source: "s", Accepted: true, More: &study.More{AtThisRate: 1}}},
			Reasons: []study.Reason{{Remedy: "r", Columns: []string{"c"}}},
			Worst:   []measure.Attack{{Gaps: true, Secret: "s", Before: &one, Sure: &one, Without: []measure.Without{{Coarse: &one}}}}}})
	add("evaluate", EvaluateDocument{Schema: "dither/evaluate/1", Measures: []MeasureDocument{{Notes: []string{"n"}}}})
	add("attack", AttackDocument{Schema: "dither/attack/1", Holdout: &study.File{}, Attacks: []study.Attack{{Further: 1, Groups: []study.GroupRisk{{More: true}}}}, Measures: []MeasureDocument{{Notes: []string{"n"}}}})
	add("compare", CompareDocument{Schema: "dither/compare/1", Choice: &ChoiceDocument{Take: "t", Accepted: []string{"found"}, Open: []string{"found"}, TooClose: []string{"c"}, NotForRelease: []UnfitDocument{{Measure: "m", Bound: new(Number)}}}, Ranks: []RankDocument{{}}, Cells: []CellDocument{{Error: "e", Scores: []ScoreDocument{{Error: "e"}}}}})
	add("clusters", MinedDocument{Schema: "dither/clusters/1", Outliers: 1})
	for name, docs := range documents {
		all := map[string]map[string]bool{}
		for _, d := range docs {
			var b bytes.Buffer
			var v map[string]any
			if err := WriteJSON(&b, d); err != nil || json.Unmarshal(b.Bytes(), &v) != nil || v["schema"] != "dither/"+name+"/1" {
				t.Fatalf("%s: %v, schema %v", name, err, v["schema"])
			}
			fields(v, "", all)
		}
		for at, want := range golden[name] {
			got := slices.Sorted(maps.Keys(all[at]))
			names := strings.Fields(want)
			slices.Sort(names)
			if !slices.Equal(got, names) {
				t.Errorf("%s, at %q: there are %v\nof %v", name, at, got, names)
			}
		}
	}
}

// TestCompareDocument: every figure of the document is that of the comparison, under the names of its data set, setting and measure.
func TestCompareDocument(t *testing.T) {
	f := newFolder(t)
	q := comparison(t, f)
	q.Measures = []string{"accuracy", "bias"}
	c, err := (&Desk{Version: "v"}).Compare(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	d := c.Document()
	if d.Version != "v" || d.Commitment != c.Commitment || len(d.Cells) != len(c.Cells) || len(d.Summaries) != len(c.Summaries) {
		t.Fatalf("%s, %d cells, %d summaries", d.Version, len(d.Cells), len(d.Summaries))
	}
	if s := d.Data[0]; s.File != c.Data[0].File || s.Class != "y" || s.Classes != 2 || s.Records != 60 || s.Columns != 4 {
		t.Errorf("%+v", s)
	}
	equal := func(a Number, b float64) bool { return float64(a) == b || math.IsNaN(float64(a)) && math.IsNaN(b) }
	for i, got := range d.Cells {
		want := c.Cells[i]
		if got.Setting != c.Settings[want.Setting].Name || got.Fold != want.Fold || got.Repeat != want.Repeat || got.Data != "people" || len(got.Scores) != 2 || got.Seconds != nil {
			t.Errorf("cell %d: %+v", i, got)
		}
		for m, s := range got.Scores {
			w := want.Scores[m]
			if s.Measure != c.Measures[m].Label || !equal(*s.Score, w.Score) || !equal(*s.Lo, w.Lo) || !equal(*s.Hi, w.Hi) || len(s.Parts) != len(w.Parts) {
				t.Errorf("cell %d, measure %d: %+v of %+v", i, m, s, w)
			}
		}
	}
	for i, got := range d.Summaries {
		w := c.Summaries[i]
		if got.Setting != c.Settings[w.Setting].Name || got.Measure != c.Measures[w.Measure].Label || got.Part != w.Part || got.Cells != w.Cells || got.Failed != w.Failed ||
			!equal(got.Mean, w.Mean) || !equal(got.SD, w.SD) || !equal(got.Lo, w.Lo) || !equal(got.Hi, w.Hi) || len(got.Folds) != len(w.Folds) || !equal(got.Folds[1], w.Folds[1]) {
			t.Errorf("summary %d: %+v of %+v", i, got, w)
		}
	}
}

// TestPublic: what is published of a release holds neither parameters nor corrections.
func TestPublic(t *testing.T) {
	f := newFolder(t)
	for _, public := range []bool{false, true} {
		p, _ := release(t, f, func(q *ProtectRequest) { q.Method, q.Public = "kim", public })
		e, _ := evaluate(t, EvaluateRequest{Source: Source{Path: f.path("people.csv"), Class: "y"}, Released: p.Files.Release, Plan: p.Files.Plan, Measures: []string{"bias"}, Public: public})
		for name, d := range map[string]any{"protect": p.Document(), "evaluate": e.Document()} {
			data, err := json.Marshal(d)
			if err != nil || bytes.Contains(data, []byte(`"corrections"`)) == public || bytes.Contains(data, []byte(`"parameters"`)) == (public || name == "evaluate") {
				t.Errorf("%s, public %v: %.300s, %v", name, public, data, err)
			}
		}
	}
}

// TestEveryMiner: what any miner finds is written whole, as text and as JSON.
func TestEveryMiner(t *testing.T) {
	f := newFolder(t)
	src := Source{Path: f.people(t, 60), Class: "y"}
	law, err := published.Encode(published.Law{Method: "agrawalsrikant"}) // of a release as it is
	if err != nil {
		t.Fatal(err)
	}
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
		if !json.Valid(m.Document.Model) || string(m.Document.Model) == "null" || m.Document.Schema != "dither/model/1" || m.Document.Miner != miner.Name || m.Text == "" {
			t.Errorf("%s: %.200s", miner.Name, m.Document.Model)
		}
	}
}
