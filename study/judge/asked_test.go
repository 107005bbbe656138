package judge

import (
	"testing"

	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestAsked: whom attacks ask follows from the values of the original, whatever file it is in.
func TestAsked(t *testing.T) {
	of := func(file string, values ...float64) *Subject {
		return &Subject{Table: tabletest.Of(t, table.NumColumn("a", 1, values)), File: study.File{SHA256: file}}
	}
	if !of("1", 1, 2, 3).Asked().Equal(of("2", 1, 2, 3).Asked()) {
		t.Error("the same table in another file is asked about other people")
	}
	if of("1", 1, 2, 3).Asked().Equal(of("1", 1, 2, 4).Asked()) {
		t.Error("another table is asked about the same people")
	}
}
