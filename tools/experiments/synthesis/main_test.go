package main

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw the map of docs/synthesis.md anew")

// The map beside the page is that of its tables: every release that has both figures is on it.
func TestMap(t *testing.T) {
	page, err := os.ReadFile("../../../docs/synthesis.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(page), text) {
		t.Error("docs/synthesis.md does not begin with text.md")
	}
	places := 0
	for _, p := range panels(string(page)) {
		places += len(p.places)
		if p.floor <= 0 {
			t.Errorf("%s has no floor", p.title)
		}
	}
	if want := 4*len(methods) - 4 - 2; places != want { // k-anonymity has no margins, and two techniques need a class
		t.Errorf("%d releases are on the map, expected %d", places, want)
	}
	drawn := plot(string(page))
	d := xml.NewDecoder(strings.NewReader(drawn))
	for err == nil {
		_, err = d.Token()
	}
	if !errors.Is(err, io.EOF) {
		t.Fatalf("the map is no XML: %v", err)
	}
	const file = "../../../docs/synthesis.svg"
	if *update {
		if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != drawn {
		t.Errorf("%s is not the map of the page's tables: %v; go test -C tools ./experiments/synthesis -update", file, err)
	}
}
