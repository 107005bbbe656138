package tree

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

func twoTrees() *Forest {
	leaf := sample()
	leaf.Nodes = leaf.Nodes[1:2]
	return &Forest{Trees: []*Tree{sample(), leaf}, Voting: "v2"}
}

func TestForestJSONRoundTrip(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		f, back := drawForest(t), new(Forest)
		doc := must.Get(json.Marshal(f))(t)
		if err := json.Unmarshal(doc, back); err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		if !f.Equal(back) || !back.Equal(f) || f.Voting != back.Voting {
			t.Fatalf("read back: %+v, expected %+v", back, f)
		}
	})
}

func TestForestJSONErrors(t *testing.T) {
	good := must.Get(json.Marshal(twoTrees()))(t)
	for _, c := range []struct{ old, new, want string }{
		{`"voting":"v2"`, `"voting":"v3"`, `voting: "v3", expected credal, v1, v2, majority`},
		{`,{"class":"low","counts":[119,4]}]}`, `,null]}`, "trees[1]: there is no tree"},
		{`,{"class":"low","counts":[119,4]}]}`, `,{"class":"none"}]}`, `trees[1]: its class is not in the schema`},
		{`"attr":"sex"`, `"attr":"income"`, `trees[0].gt: "income" is not an attribute that can be tested`},
		{`"name":"sex"`, `"name":"age"`, `schema[1]: attribute "age" occurs twice`},
		{`"class":"income"`, `"class":"age"`, `class: "age" must be categorical`},
		{`"trees":`, `"tree":`, "unknown field"},
	} {
		doc := strings.Replace(string(good), c.old, c.new, 1)
		if doc == string(good) {
			t.Fatalf("%s is not in the document", c.old)
		}
		if err := json.Unmarshal([]byte(doc), new(Forest)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.new, err, c.want)
		}
	}
	head, _, _ := strings.Cut(string(good), `"trees":`)
	if err := json.Unmarshal([]byte(head+`"trees":[]}`), new(Forest)); err == nil || !strings.Contains(err.Error(), "the forest has none") {
		t.Errorf("a forest without trees is read: %v", err)
	}
	if err := new(Forest).UnmarshalJSON(append(good, '1')); err == nil {
		t.Error("more after the document is read over")
	}
	other := twoTrees()
	other.Trees[1].Attrs[0].Step = 2
	for name, f := range map[string]*Forest{"no trees": {}, "no nodes": {Trees: []*Tree{{}}}, "two schemas": other} {
		if _, err := json.Marshal(f); err == nil {
			t.Errorf("%s: the forest is written", name)
		}
	}
}

// What is read is written and read back as the same forest, and can be used.
func FuzzForestJSON(f *testing.F) {
	good := must.Get(json.Marshal(twoTrees()))(f)
	f.Add(good)
	f.Add([]byte(`{"schema":[{"name":"c","type":"categorical","values":["a"]}],"class":"c","trees":[{"class":"a"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		forest, back := new(Forest), new(Forest)
		if json.Unmarshal(doc, forest) != nil {
			return
		}
		again := must.Get(json.Marshal(forest))(t)
		if err := json.Unmarshal(again, back); err != nil || !forest.Equal(back) {
			t.Fatalf("%v: %s reads back as %+v", err, again, back)
		}
		if n, err := forest.Count(); err == nil {
			forest.Segments(0, n-1)
			forest.Leaves(n - 1)
		}
		forest.Depth()
	})
}
