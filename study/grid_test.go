package study

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/framework"
)

func TestGrid(t *testing.T) {
	declared := framework.Framework.New().Params()
	axes := []Axis{ParseAxis(declared, "spread", "10, 20"), ParseAxis(declared, "minLeaf", "5"),
		ParseAxis(declared, "p", "0.1,0.2"), ParseAxis(declared, "except", "a,b")}
	got := must.Get(Grid(framework.Framework, axes))(t)
	var names []string
	for _, s := range got {
		names = append(names, s.Name)
	}
	want := []string{"framework spread=10 p=0.1", "framework spread=10 p=0.2", "framework spread=20 p=0.1",
		"framework spread=20 p=0.2"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"spread": "20", "minLeaf": "5", "p": "0.1", "except": "a,b"},
		got[2].Set); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"spread": "20", "p": "0.1"}, got[2].Varied); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"spread", "p"}, got[2].Axes); diff != "" {
		t.Error(diff)
	}
	one, err := Grid(framework.Framework, nil)
	if err != nil || len(one) != 1 || one[0].Name != "framework" {
		t.Errorf("no axes: %v, %v", one, err)
	}
	for name, bad := range map[string][]Axis{
		"an axis twice": {{"p", []string{"1"}}, {"p", []string{"2"}}},
		"a value twice": {{"p", []string{"1", "1"}}},
		"no values":     {{"p", nil}},
	} {
		if _, err := Grid(framework.Framework, bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
