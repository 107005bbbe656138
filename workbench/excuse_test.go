package workbench

import (
	"errors"
	"fmt"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
)

// TestExcuse: what a technique lacks is said in the words of the page, by the kind of the error and not by its words,
// and also where a child process passed it on.
func TestExcuse(t *testing.T) {
	m, err := catalog.Method("framework")
	must.NoError(t, err)
	people := generate.Patients(30, rng.New([32]byte{1}))
	_, err = study.Protect(t.Context(), study.Request{Table: people.Select(people.Find("age"), people.Find("region")),
		Method: m, Seed: rng.SeedOf([32]byte{1})})
	if err == nil {
		t.Fatal("a tree is grown without a class")
	}
	const want = "This did not work: the technique needs a column to predict: give one the role class, in the table; " +
		"or take a technique that needs none, such as kanonymise, copulasynthesis."
	for _, err := range []error{err, fmt.Errorf("framework: %w", err), errors.New(forPage(err).Error())} {
		if got := excuse(err).String(); got != want {
			t.Errorf("%v: %q", err, got)
		}
	}
	several := errors.Join(errors.New("a.csv: the disk is full"), errors.New("a.csv: the disk is full"), errors.New("b"))
	if got := excuse(several).String(); got != "This did not work: a.csv: the disk is full; b." {
		t.Errorf("several errors: %q", got)
	}
	if got := excuse(errors.New("no column has the role class of 1950; name one (--class COLUMN)")).String(); got == want {
		t.Error("an error is taken for another by its words")
	}
}
