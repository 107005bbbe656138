package main

import (
	"reflect"
	"testing"
)

// TestSmall holds the counts of a module of seven files against those made by hand.
func TestSmall(t *testing.T) {
	const dir = "testdata/small"
	layers, err := layersOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := load(dir, layers)
	if err != nil {
		t.Fatal(err)
	}
	// Each; Technique, Run; One, Add; Search; Evaluate, Protect. What a program wrote has no lines.
	if got, want := c.size(), (size{lines: 70, names: 8, packages: 6}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for verb, want := range map[string]followed{
		// main.go, desk.go, study.go, up to try.go, contract.go
		"cmd/tool.runEvaluate": {functions: 5, files: 5, visits: 4, climbs: 1,
			back: []string{"study/study.go calls desk/try.go"}},
		// main.go, desk.go with its function literal, contract.go, back up to desk.go, try.go
		"cmd/tool.runProtect": {functions: 5, files: 4, visits: 4, climbs: 1},
	} {
		got, err := c.follow(verb)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", verb, got, err, want)
		}
	}
	if _, err := c.follow("cmd/tool.runNothing"); err == nil {
		t.Error("a verb that nobody wrote is followed")
	}
}

// TestLayers: a folder belongs to the line that names it before one whose pattern matches.
func TestLayers(t *testing.T) {
	c := &code{layers: []layer{{"low", []string{"a/*"}}, {"high", []string{"a/b", "c"}}}}
	for folder, want := range map[string]int{"a/x": 0, "a/b": 1, "c": 1, "d": -1} {
		if got := c.layerOf(folder); got != want {
			t.Errorf("%s: layer %d, want %d", folder, got, want)
		}
	}
}
