package desk

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

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

func TestDescribeIntruder(t *testing.T) {
	for _, c := range []struct {
		knows, secret     string
		outsider, unaware bool
		name, columns     string
	}{
		{"age", "", false, false, "knows age", "age"},
		{"age~2, city", "", true, false, "knows age within 2, city, but not who is in the file", "age city"},
		{"all", "y, z", false, true, "knows all, but not the technique", "all"},
		{"age~0.5", "", true, true, "knows age within 0.5, but neither who is in the file nor the technique", "age"},
	} {
		i, err := DescribeIntruder(c.knows, c.secret, c.outsider, c.unaware)
		if err != nil || i.Name != c.name || strings.Join(i.Knows, " ") != c.columns || i.Outsider != c.outsider ||
			i.Unaware != c.unaware {
			t.Errorf("%s: %+v, %v", c.knows, i, err)
		}
		if (len(i.Secret) == 2 && i.Secret[1] == "z") != (c.secret != "") {
			t.Errorf("%s: secret %q", c.knows, i.Secret)
		}
	}
	if i, _ := DescribeIntruder("age~2,city", "", false, false); i.Within["age"] != 2 || len(i.Within) != 1 {
		t.Errorf("within %v", i.Within)
	}
	for _, knows := range []string{"age~", "age~x", "age~-1", "city,age~NaN"} {
		_, err := DescribeIntruder(knows, "", false, false)
		refused(t, knows, err, "expected a number of at least 0 after ~")
	}
}

// TestAgainst: the request's intruders win over the policy's, and these over the default ones; those declared must fit.
func TestAgainst(t *testing.T) {
	attrs := []table.Attribute{{Name: "age", Role: table.Quasi}, {Name: "y", Role: table.Class}}
	whole := append([]table.Attribute{{Name: "lost"}}, attrs...)
	who := func(knows string) []intruder.Intruder {
		return []intruder.Intruder{{Name: "knows " + knows, Knows: []string{knows}}}
	}
	for _, c := range []struct {
		declared []intruder.Intruder
		want     string
		n        int
	}{{who("age"), "knows age", 1}, {nil, "knows the quasi-identifiers", 2}} {
		got, err := judge.Against(&policy.Policy{Intruders: c.declared}, whole, attrs)
		if err != nil || len(got) != c.n || got[0].Name != c.want {
			t.Errorf("%v: %v, want %s", got, err, c.want)
		}
	}
	_, err := judge.Against(&policy.Policy{Intruders: who("gone")}, whole, attrs)
	refused(t, "no such column", err, "gone")
	_, err = judge.Against(&policy.Policy{Intruders: who("lost")}, whole, attrs)
	refused(t, "a column that only the original has", err, "in both tables")
}
