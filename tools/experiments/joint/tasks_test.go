package main

import (
	"testing"

	"github.com/dither-data/dither/joint/catalog"
)

// TestEveryProtocolHasItsCost: the page has a line for each protocol that there is.
func TestEveryProtocolHasItsCost(t *testing.T) {
	there := map[string]bool{}
	for _, k := range tasks {
		made, err := k.make(&workshop{dir: t.TempDir()}, k.sizes[0])
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		there[made.protocol] = true
	}
	for _, p := range catalog.Protocols() {
		if !there[p.Name] {
			t.Errorf("%s: no task runs it", p.Name)
		}
		delete(there, p.Name)
	}
	for name := range there {
		t.Errorf("%s is no protocol", name)
	}
}
