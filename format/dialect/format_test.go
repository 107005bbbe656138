package dialect

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/table"
)

func declared() Format {
	return Format{
		Card: card.Card{
			Name:    "dots",
			Title:   "Dots",
			Summary: "a dot per value",
			Paper:   "none",
			Missing: "a blank",
			Cost:    "O(n)",
		},
		Extensions: []string{".dot", ".dots"},
		Read:       func(context.Context, []byte, Options) (*table.Table, *Info, error) { return nil, nil, nil },
		Write:      func(context.Context, io.Writer, *table.Table, Options) error { return nil },
	}
}

func TestCheck(t *testing.T) {
	sound := declared()
	if err := sound.Check(); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		fault, want string
		plant       func(*Format)
	}{
		{"no cost", "card dots: cost is empty", func(f *Format) { f.Cost = "" }},
		{"a name in capitals", `card "Dots": the name must be`, func(f *Format) { f.Name = "Dots" }},
		{"no reader", "format dots: it must read", func(f *Format) { f.Read = nil }},
		{"losses without a writer", "format dots: it says what is lost in a file, and writes none",
			func(f *Format) { f.Write, f.Loses = nil, LosesZeros }},
		{"no extension", "format dots: it has no extension", func(f *Format) { f.Extensions = nil }},
		{"no point", `format dots: the extension "dot" must`, func(f *Format) { f.Extensions = []string{"dot"} }},
		{"a point only", `format dots: the extension "." must`, func(f *Format) { f.Extensions = []string{"."} }},
		{"two points", `format dots: the extension ".csv.gz" must`, func(f *Format) { f.Extensions = []string{".csv.gz"} }},
		{"capitals", `format dots: the extension ".DOT" must`, func(f *Format) { f.Extensions = []string{".dot", ".DOT"} }},
		{"twice", `format dots: the extension ".dot" must`, func(f *Format) { f.Extensions = []string{".dot", ".dot"} }},
	} {
		f := declared()
		c.plant(&f)
		if err := f.Check(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.fault, err, c.want)
		}
	}
}

func TestVariantsGoByTheOtherName(t *testing.T) {
	f := declared()
	if f.Called() != "dots" {
		t.Errorf("called %s", f.Called())
	}
	if f.Variant = "marks"; f.Called() != "marks" {
		t.Errorf("a variant of marks is called %s", f.Called())
	}
}

func TestLossesInWords(t *testing.T) {
	if w := Loss(0).String(); w != "" {
		t.Errorf("nothing is lost: %q", w)
	}
	all := (LosesKinds | LosesLabels | LosesZeros | LosesDates | LosesNotations | LosesEmpty | LosesLong | LosesNames |
		LosesBlanks | LosesRange).String()
	for k, part := range strings.Split(all, "; ") {
		if one := Loss(1 << k).String(); one != part || one == "" {
			t.Errorf("loss %d is %q alone and %q among all", k, one, part)
		}
	}
	if Loss(1<<len(losses)).String() != "" || LosesRange != 1<<(len(losses)-1) {
		t.Error("there are other losses than words")
	}
}
