package pmml

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// foreign is a tree as other programs write it: surrogates, a limit that belongs to the upper half, what is in no other
// branch, counts in part.
const foreign = `<?xml version="1.0"?><PMML xmlns="http://www.dmg.org/PMML-4_2" version="4.2"><Header copyright="x"><Extension name="user" value="x"/><Application name="rpart"/></Header>
<DataDictionary numberOfFields="4"><DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField><DataField name="age" optype="continuous" dataType="double"/>
<DataField name="town" optype="categorical" dataType="string"><Value value="Bonn"/><Value value="Ulm"/><Value value="Kiel"/><Value value="?" property="missing"/></DataField><DataField name="unused" optype="continuous" dataType="double"/></DataDictionary>
<TreeModel functionName="classification" algorithmName="rpart"><MiningSchema><MiningField name="y" usageType="predicted"/><MiningField name="age"/><MiningField name="town"/></MiningSchema>
<Node id="1" score="no" recordCount="9" defaultChild="3"><True/><ScoreDistribution value="no" recordCount="5"/><ScoreDistribution value="yes" recordCount="4"/>
<Node id="2" score="no"><CompoundPredicate booleanOperator="surrogate"><SimplePredicate field="age" operator="greaterOrEqual" value="40"/><SimplePredicate field="town" operator="equal" value="Ulm"/><True/></CompoundPredicate><ScoreDistribution value="no" recordCount="3"/></Node>
<Node id="3" score="yes"><CompoundPredicate booleanOperator="surrogate"><SimplePredicate field="age" operator="lessThan" value="40"/><True/></CompoundPredicate>
<Node id="4" score="yes"><SimpleSetPredicate field="town" booleanOperator="isIn"><Array n="2" type="string">"Ulm" Bonn</Array></SimpleSetPredicate></Node><Node id="5" score="no"><True/></Node></Node></Node></TreeModel></PMML>`

func TestForeignPMML(t *testing.T) {
	tr := must.Get(Read([]byte(foreign)))(t)
	tab := must.Get(table.New(table.CatColumn("y", []string{"no", "yes"}, []int32{0, 0, 0, 0}),
		table.NumColumn("age", 0, []float64{39.999, 40, 12, 12}),
		table.CatColumn("town", []string{"Bonn", "Ulm", "Kiel"}, []int32{1, 0, 2, 0})))(t)
	got := make([]int32, 4)
	if tr.Predict(tab, got); got[0] != 1 || got[1] != 0 || got[2] != 0 || got[3] != 1 {
		t.Errorf("classes are %v", got)
	}
	if tr.Nodes[0].Heavy != 0 || len(tr.Attrs) != 3 {
		t.Errorf("the branch that is taken by default is %d, of %d attributes", tr.Nodes[0].Heavy, len(tr.Attrs))
	}
}

func TestRefusedPMML(t *testing.T) {
	for want, c := range map[string][2]string{
		"no sound document of PMML": {"</PMML>", ""},
		"no document of PMML with a tree (TreeModel): it holds a RegressionModel": {"TreeModel",
			"RegressionModel"},
		"the tree is not for classification":                                                  {`"classification"`, `"regression"`},
		"no field of the tree is its target":                                                  {"predicted", "active"},
		"tree, branch 1: it tests no field of the data, or has no value":                      {`field="age" operator="greaterOrEqual"`, `field="derived" operator="greaterOrEqual"`},
		"tree: its branches have two limits":                                                  {`value="40"/><True/>`, `value="41"/><True/>`},
		"tree, branch 2: it compares a number by \"equal\"":                                   {`operator="lessThan"`, `operator="equal"`},
		"tree.2: its branches test several fields, or none":                                   {"<True/></Node></Node></Node>", `<SimplePredicate field="age" operator="lessThan" value="1"/></Node></Node></Node>`},
		"tree.2, branch 2: it takes all categories but some that the other one does not take": {"<True/></Node></Node></Node>", `<SimplePredicate field="town" operator="notEqual" value="Kiel"/></Node></Node></Node>`},
		"tree.2, branch 2: its predicate is compound, or none that a tree of dither has":      {"<True/></Node></Node></Node>", `<CompoundPredicate booleanOperator="and"/></Node></Node></Node>`},
		"tree, branch 1: it compares a number with none":                                      {`value="40"/><Simple`, `value="x"/><Simple`},
		"tree.le.branches[1].node: a leaf needs class":                                        {`id="5" score="no"`, `id="5"`},
	} {
		data := strings.ReplaceAll(foreign, c[0], c[1])
		if data == foreign {
			t.Fatalf("%q is not in the document", c[0])
		}
		if _, err := Read([]byte(data)); err == nil || err.Error() != want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	odd := &tree.Tree{
		Attrs: []table.Attribute{{Name: "c", Kind: table.Categorical, Labels: []string{"\x01"}}},
		Nodes: []tree.Node{{Attr: -1, Counts: []float64{1}}},
	}
	if _, err := Write(odd); err == nil || err.Error() != "tree: column 1 has a name or a label that XML cannot hold" {
		t.Error(err)
	}
}

// FuzzPMML: what is read is written as something that is read as the same tree.
func FuzzPMML(f *testing.F) {
	f.Add([]byte(foreign))
	f.Add([]byte(strings.ReplaceAll(foreign, `"isIn"`, `"isNotIn"`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := Read(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		doc, err := Write(tr)
		if err != nil {
			return // a text that XML does not hold
		}
		back, err := Read(doc)
		if err != nil {
			t.Fatalf("%v in %s", err, doc)
		}
		if again, err := Write(back); err != nil || !bytes.Equal(again, doc) {
			t.Errorf("%v\n%s\nwas written again as\n%s", err, doc, again)
		}
	})
}
