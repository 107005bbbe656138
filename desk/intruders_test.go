package desk

import (
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestBaselines: the techniques that call themselves baselines are so in their cards, and no other is.
func TestBaselines(t *testing.T) {
	baseline := map[string]bool{"tdp": true, "sdp": true, "rdp": true, "hdp": true}
	for _, m := range catalog.Methods() {
		if m.Baseline != baseline[m.Name] {
			t.Errorf("%s: baseline %v", m.Name, m.Baseline)
		}
	}
}

// TestShared: tables are compared against the default intruders that they share.
func TestShared(t *testing.T) {
	data := func(roles ...table.Role) study.DataSet {
		var cols []table.Column
		for j, r := range roles {
			c := table.NumColumn(string(rune('a'+j)), 0, nil)
			c.Role = r
			cols = append(cols, c)
		}
		tab := tabletest.Of(t, cols...)
		return study.DataSet{Table: tab}
	}
	quasi, class, secret := data(table.Quasi, table.Class), data(0, table.Class), data(0, table.Confidential)
	for _, c := range []struct {
		data []study.DataSet
		want []string
	}{
		{[]study.DataSet{quasi}, []string{"knows the quasi-identifiers", "knows everything but the class"}},
		{[]study.DataSet{quasi, quasi}, []string{"knows the quasi-identifiers", "knows everything but the class"}},
		{[]study.DataSet{quasi, class}, []string{"knows everything but the class"}},
		{[]study.DataSet{class, quasi}, []string{"knows everything but the class"}},
		{[]study.DataSet{quasi, secret}, []string{"knows everything but the class"}},
	} {
		got := shared(c.data)
		if len(got) != len(c.want) {
			t.Fatalf("%d intruders, expected %v", len(got), c.want)
		}
		for k, i := range got {
			if i.Name != c.want[k] {
				t.Errorf("%q, expected %q", i.Name, c.want[k])
			}
		}
	}
}
