package desk

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

func TestMine(t *testing.T) {
	f := newFolder(t)
	in := f.put(t, "points.csv", "x,y\n1.5,1\n1,2.5\n2,1\n9,9.5\n8.5,9\n9,8\n")
	q := MineRequest{
		Source:   Source{Path: in},
		Miner:    "kmeans",
		Set:      map[string]string{"k": "2"},
		Clusters: true,
		Labels:   f.path("l.csv"),
		Output:   f.path("m.json"),
		JSON:     true,
	}
	m, err := newListener().Mine(ctx, q)
	must.NoError(t, err)
	d := m.Document
	if d.Schema != "dither/clusters/1" || d.Miner != "kmeans" || d.Clusters != 2 || len(d.Sizes) != 2 ||
		d.Sizes[0]+d.Sizes[1] != 6 ||
		d.Outliers != 0 ||
		!strings.Contains(m.Text, "2 clusters") {
		t.Errorf("%+v: %s", d, m.Text)
	}
	lines := strings.Split(f.read(t, "l.csv"), "\n")
	if lines[0] != "row,cluster" || len(lines) != 8 || lines[1][2:] != lines[2][2:] || lines[1][2:] == lines[4][2:] {
		t.Errorf("labels %q", lines)
	}
	var back MinedDocument
	if err := json.Unmarshal([]byte(f.read(t, "m.json")), &back); err != nil || back.Clusters != 2 ||
		len(back.Model) == 0 {
		t.Errorf("%v: %+v", err, back)
	}
	var b strings.Builder
	if err := m.Print(&b, false); err != nil || b.String() != m.Text {
		t.Errorf("%v", err)
	}
	shop := Source{Path: f.put(t, "shop.csv", "size,colour,buyer\nS,red,yes\nS,red,yes\nM,red,yes\nM,blue,no\n"+
		"L,blue,no\nL,blue,no\nS,red,yes\nM,blue,no\n"), Said: policy.Policy{Class: "buyer"}}
	if m, err = newListener().Mine(ctx, MineRequest{Source: shop, Miner: "c45"}); err != nil ||
		m.Document.Schema != "dither/model/1" ||
		m.Document.Clusters != 0 ||
		m.Text == "" {
		t.Errorf("a model that clusters nothing: %v, %+v", err, m)
	}
	if m, err = newListener().Mine(ctx, MineRequest{Source: shop, Miner: "detective", Clusters: true}); err != nil ||
		len(m.Document.Similar) == 0 && m.Text == "" {
		t.Errorf("clusters of values: %v", err)
	}
	for _, c := range []struct {
		name string
		q    MineRequest
		says string
	}{
		{"an unknown miner", MineRequest{Source: shop, Miner: "kmean"}, `unknown miner "kmean"`},
		{"a wrong parameter", MineRequest{Source: shop, Miner: "kmeans", Set: map[string]string{"k": "0"}}, "kmeans: "},
		{"labels of values", MineRequest{Source: shop, Miner: "detective", Labels: f.path("no.csv")},
			"labels: detective clusters values, not records"},
		{"no clusters", MineRequest{Source: shop, Miner: "c45", Clusters: true}, "c45 finds no clusters"},
		{"old labels", MineRequest{Source: shop, Miner: "kmeans", Labels: f.path("l.csv")}, "l.csv exists"},
		{"one output twice", MineRequest{Source: shop, Miner: "kmeans", Labels: f.path("z"), Output: f.path("z")},
			"two outputs"},
	} {
		_, err := newListener().Mine(ctx, c.q)
		refused(t, c.name, err, c.says)
		if (c.name == "no clusters") != errors.Is(err, ErrNoClusters) {
			t.Errorf("%s: ErrNoClusters is %v", c.name, err)
		}
	}
	if _, err := os.Stat(f.path("no.csv")); err == nil {
		t.Error("a refused request wrote labels")
	}
	_, err = newListener().Mine(ctx, MineRequest{Source: Source{Path: f.put(t, "none.csv", "a,y\n")}, Miner: "kmeans"})
	failed(t, "no records", err, "none.csv")
}

func TestLabels(t *testing.T) {
	var b strings.Builder
	if err := writeLabels(&b, []int32{1, -1, 0}); err != nil || b.String() != "row,cluster\n1,1\n2,\n3,0\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestTree(t *testing.T) {
	f := newFolder(t)
	q := TreeRequest{
		Source: Source{Path: f.people(t, 60), Said: policy.Policy{Class: "y"}},
		Set:    map[string]string{"minLeaf": "5"},
		Form:   JSON,
		Output: f.path("tree.json"),
	}
	l := newListener()
	grown, err := l.Tree(ctx, q)
	if err != nil || l.heard() != "the class is y; the tree is grown on 60 records" {
		t.Fatalf("%v, %q", err, l.heard())
	}
	saved, err := newListener().Tree(ctx, TreeRequest{Saved: f.path("tree.json")})
	if err != nil || saved.Text() != grown.Text() || strings.Contains(grown.Text(), "name") {
		t.Errorf("%v: a saved tree is another, or an identifier is in it", err)
	}
	print := func(form string) (string, error) {
		var b strings.Builder
		err := PrintTree(&b, grown, form)
		return b.String(), err
	}
	for form, says := range map[string]string{"": "age", Text: "age", DOT: "digraph", SVG: "<svg", JSON: "{"} {
		if got, err := print(form); err != nil || !strings.Contains(got, says) {
			t.Errorf("%q: %v: %s", form, err, got)
		}
	}
	_, err = print("png")
	refused(t, "another form", err, "form png")
	for _, c := range []struct {
		name string
		q    TreeRequest
		says string
	}{
		{"nothing", TreeRequest{}, "grown on a table or was saved"},
		{"both", TreeRequest{Source: q.Source, Saved: f.path("tree.json")}, "grown on a table or was saved"},
		{"parameters of a saved tree", TreeRequest{Saved: f.path("tree.json"), Set: q.Set}, "used unchanged"},
		{"an unknown parameter", TreeRequest{Source: q.Source, Set: map[string]string{"gone": "1"}}, `c45: unknown parameter "gone"`},
		{"an old file", q, "tree.json exists"},
	} {
		_, err := newListener().Tree(ctx, c.q)
		refused(t, c.name, err, c.says)
	}
	for _, c := range []struct {
		name string
		q    TreeRequest
		says string
	}{
		{"no saved tree", TreeRequest{Saved: f.path("gone.json")}, "gone.json"},
		{"no class", TreeRequest{Source: Source{Path: f.put(t, "one.csv", "a,y\n1,no\n2,no\n"),
			Said: policy.Policy{Class: "y"}}}, "one.csv"},
	} {
		_, err := newListener().Tree(ctx, c.q)
		failed(t, c.name, err, c.says)
	}
	_, err = newListener().Tree(ctx, TreeRequest{Saved: f.path("people.csv")})
	refused(t, "a saved tree that is none", err, "people.csv")
}

func TestGenerate(t *testing.T) {
	f := newFolder(t)
	q := GenerateRequest{Name: "patients", Rows: 25, Output: f.path("p.csv"), SeedFile: f.fixedSeed(t)}
	if made, err := (&Desk{}).Generate(ctx, q); err != nil || made.Rows() != 25 {
		t.Fatal(err)
	}
	first := f.read(t, "p.csv")
	q.Overwrite = true
	if _, err := (&Desk{}).Generate(ctx, q); err != nil || f.read(t, "p.csv") != first {
		t.Errorf("%v: one seed gives two tables", err)
	}
	q.Rows = 0
	if made, err := (&Desk{}).Generate(ctx, q); err != nil || made.Rows() != 0 {
		t.Errorf("%v: no records are some", err)
	}
	q.Rows = OwnRows
	if made, err := (&Desk{}).Generate(ctx, q); err != nil || made.Rows() < 100 {
		t.Errorf("%v: the generator's own number is not taken", err)
	}
	for _, c := range []struct {
		name   string
		change func(*GenerateRequest)
		says   string
	}{{"an unknown generator", func(q *GenerateRequest) { q.Name = "patient" }, "patient"},
		{"no name", func(q *GenerateRequest) { q.Output = "" }, "no name"},
		{"too few", func(q *GenerateRequest) { q.Rows = -2 }, "rows -2: expected 0 or more"},
		{"an old table", func(q *GenerateRequest) { q.Overwrite = false }, "p.csv exists"}} {
		one := q
		c.change(&one)
		_, err := (&Desk{}).Generate(ctx, one)
		refused(t, c.name, err, c.says)
	}
}

func TestExample(t *testing.T) {
	f := newFolder(t)
	e := must.Get(NewExample(ctx, f.path("demo/deep")))(t)
	l := load(t, Source{Path: e.Table, Said: policy.Policy{Class: e.Class}})
	h := load(t, Source{Path: e.Holdout})
	if l.Table.Rows() != e.Records || h.Table.Rows() != e.HeldOut || l.Table.Find(e.Class) < 0 {
		t.Errorf("%+v", e)
	}
	if _, err := NewExample(ctx, f.path("demo/deep")); err != nil {
		t.Errorf("a second example in the folder of the first: %v", err)
	}
	for _, name := range []string{"patients.csv", "holdout.csv", "release.csv", "report.html", "plan.json"} {
		mine := newFolder(t)
		mine.put(t, name, "mine")
		_, err := NewExample(ctx, string(mine))
		refused(t, "a folder with another "+name, err, name+" is not of an earlier example and is not replaced")
		if mine.names(t) != name || mine.read(t, name) != "mine" {
			t.Errorf("%s: there is %s", name, mine.names(t))
		}
	}
	if _, err := NewExample(ctx, f.put(t, "file", "x")); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestCatalogue(t *testing.T) {
	for _, p := range []Part{Methods, Measures, Miners, Generators} {
		entries := p.Entries()
		cards := p.Cards()
		if len(entries) < 5 || len(cards) != len(entries) {
			t.Fatalf("%s: %d entries", p.Name, len(entries))
		}
		for k, e := range entries {
			got, err := p.Find(strings.ToUpper(e.Name))
			if err != nil || got.Name != e.Name || len(got.Params) != len(e.Params) || cards[k].Name != e.Name {
				t.Errorf("%s: %v", e.Name, err)
			}
			if (e.Side != "") != (p.Name == "measures") || (e.Better != "") != (p.Name == "measures") {
				t.Errorf("%s: side %q, better %q", e.Name, e.Side, e.Better)
			}
		}
		_, err := p.Find("nosuchthing")
		refused(t, p.Name, err, `unknown `+p.What+` "nosuchthing"`)
		var got map[string]json.RawMessage
		data, _ := json.Marshal(p.Document(p.Entries()))
		var list []Entry
		if err := json.Unmarshal(data, &got); err != nil || string(got["schema"]) != `"dither/`+p.Name+`/1"` ||
			json.Unmarshal(got[p.Name], &list) != nil && len(got) != 2 {
			t.Errorf("%s: %.80s", p.Name, data)
		}
	}
}

// TestNoLinesOfValues: names and labels stay on their line, so that none writes a verdict.
func TestNoLinesOfValues(t *testing.T) {
	attrs := []table.Attribute{
		{Name: "a\nb"},
		{Name: "y", Labels: []string{"x\nverdict: MEETS", "ver\u200bdict: MEETS", "z"}},
	}
	text := "a\nb = 1: x\nverdict: MEETS (3)\na\nb = 2: ver\u200bdict: MEETS (4)\na\nb = 3: z (1)\n"
	want := "a b = 1: x verdict: MEETS (3)\na b = 2: verdict: MEETS (4)\na b = 3: z (1)\n"
	if got := onLines(text, attrs); got != want {
		t.Errorf("%q", got)
	}
}
