package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
	"github.com/dither-data/dither/table"
)

// expect fails when what is written is not what is wanted, the widths of blanks and rules apart.
func expect(t *testing.T, want string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	must.NoError(t, write(&b))
	if diff := cmp.Diff(words(want), words(b.String())); diff != "" {
		t.Error(diff)
	}
}

func TestCatalogueText(t *testing.T) {
	list := []Listed{{card.Card{Name: "mdav", Summary: "groups of k records take their mean"}, "Groups", "small groups"},
		{card.Card{Name: "noise", Summary: strings.Repeat("a long summary ", 6)}, "Noise", ""}}
	expect(t, `
technique what it does

Groups
* mdav groups of k records take their mean

Noise
noise a long summary a long summary a long summary a long summary a long
summary a long summary

* to try first
- mdav: small groups
`, func(w io.Writer) error { return CatalogueText(w, "technique", list, Screen{}) })
}

// TestListing: figures stand at the right of their column, and a wide cell is wrapped.
func TestListing(t *testing.T) {
	var b strings.Builder
	must.NoError(t, listing(&b, []string{"name", "n", "text"},
		[][]string{{"a\x1bb", "1", "x"}, {"c", "1,000", strings.Repeat("word ", 12) + "end"}}, 2))
	want := `name      n  text
───────────────────────────────────────────────────────────────────────
a b       1  x
c     1,000  word word word word word word word word word word word
             word end
`
	if b.String() != want {
		t.Errorf("\n%s\nexpected\n%s", b.String(), want)
	}
}

func TestEntryText(t *testing.T) {
	var k float64
	params := param.Set{param.Float(&k, "k", 3, 2, 100, "records", "size of a group")}
	c := card.Card{Name: "mdav", Title: "MDAV", Summary: "groups", Paper: "2005", Missing: "stay", Cost: "O(n^2)"}
	expect(t, `
MDAV (mdav)

groups

source:                   2005
missing values:           stay
cost:                     O(n^2)
better:                   lower
unit:                     bits

parameter  default  range     unit     meaning
────────────────────────────────────────────────────────
k          3        2 to 100  records  size of a group
`, func(w io.Writer) error { return EntryText(w, c, "", "lower", "bits", params) })
	expect(t, `
MDAV (mdav)

groups

source:                   2005
missing values:           stay
cost:                     O(n^2)
`, func(w io.Writer) error { return EntryText(w, c, "", "", "", nil) })
}

func TestProfileText(t *testing.T) {
	p := &profile.Profile{Rows: 12000, Columns: []profile.Column{
		{
			Name:       "pay\x1b[31m",
			Kind:       "numeric",
			Domain:     &table.Interval{Lo: 0, Hi: 99.5},
			Step:       0.5,
			Missing:    1234,
			Distinct:   200,
			Uniqueness: 0.0001,
		},
		{Name: "sex", Kind: "categorical", Distinct: 2}}}
	roles := []profile.Suggestion{
		{Role: table.Confidential, Why: []profile.Clause{{Says: message.Text("a sum of money")}}},
		{Role: table.Quasi, Why: []profile.Clause{{Says: message.Text("known to many")}}},
	}
	e := &profile.Exposure{
		QuasiIdentifiers: []string{"sex", "pay"},
		Classes:          9000,
		K:                1,
		Uniques:          11999,
		UniqueShare:      11999.0 / 12000,
		BelowFive:        12000,
		Sizes: []profile.SizeBand{
			{From: 1, To: 1, Classes: 8000, Records: 8000},
			{From: 3, To: 4, Classes: 10, Records: 33},
			{From: 10},
		},
	}
	head := `
clients: 12,000 records, 2 columns
══════════════════════════════════

The columns

column    kind         domain       missing  distinct  unique  role              why
pay [31m  numeric      0.0 to 99.5    1,234       200  <0.1 %  confidential      a sum of money
sex       categorical  –                  0         2   0.0 %  quasi-identifier  known to many
`
	const noQuasi = `
What else to know
═════════════════
`
	const last = "No column is a quasi-identifier; name those an intruder may know with --role\ncolumn=quasi-identifier.\n"
	expect(t, head+noQuasi+last, func(w io.Writer) error {
		return ProfileText(w, "clients", p, roles, &profile.Exposure{}, Screen{Verbose: true})
	})
	expect(t, head+`
Before anything is done, by sex and pay
═══════════════════════════════════════
11,999 of 12,000 records (>99.9 %) are unique; 12,000 share their values with fewer than four
others.
The smallest class has 1 record; there are 9,000 classes.

Classes by size

class size   classes  records
1              8,000    8,000
3 to 4            10       33
10 and more        0        0
`, func(w io.Writer) error { return ProfileText(w, "clients", p, roles, e, Screen{Verbose: true}) })

	some := func(n int, share, low, high float64) profile.SomeUnique {
		return profile.SomeUnique{Items: n, Unique: int(600 * share), Share: share, Low: low, High: high}
	}
	known := profile.KnownItems{Column: "codes", People: 9000, Tried: 9000, Items: 1500, Mean: 4.2, Largest: 17, Empty: 12,
		Unique: [3]profile.SomeUnique{some(1, 0.01, 0.01, 0.01), some(2, 0.5, 0.5, 0.5), some(3, 0.875, 0.875, 0.875)}}
	tried := known
	tried.Tried, tried.Empty = 600, 0
	tried.Unique = [3]profile.SomeUnique{some(1, 0, 0, 0.006), some(2, 0.5, 0.46, 0.54), some(3, 0.875, 0.85, 0.9)}
	for k, want := range []string{
		"codes: 87.5 % of the people have 3 items that nobody else has together, so anyone who knows these finds " +
			"them; for 50.0 %, 2 items are enough; for 1.0 %, a single one. " +
			"1,500 different items, 4.2 of a person on average, at most 17; 12 people with none.",
		"codes: 87.5 % (85.0 % to 90.0 %) of the people have 3 items that nobody else has together, so anyone who " +
			"knows these finds them; for 50.0 % (46.0 % to 54.0 %), 2 items are enough; " +
			"for 0.0 % (0.0 % to 0.6 %), a single one. 600 of 9,000 people were tried; the bounds are 95 % bounds. 1,500 " +
			"different items, 4.2 of a person on average, at most 17.",
		"codes: all sets are missing."} {
		set := []profile.KnownItems{known, tried, {Column: "codes"}}[k]
		if got := strings.Join(stringsOf(knownItems(set)), " "); got != want {
			t.Errorf("%s, expected %s", got, want)
		}
		text := textOf(
			ProfileDocument("clients", p, roles, &profile.Exposure{Sets: []profile.KnownItems{set}}).Find("remarks").Blocks...)
		if !strings.HasPrefix(strings.ReplaceAll(text, "\n", " "), want) {
			t.Errorf("the text does not say %s:\n%s", want, text)
		}
	}
}

// words is a text by lines with its blanks and rules made one.
func words(s string) []string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		if l = strings.Join(strings.Fields(strings.ReplaceAll(l, "─", "")), " "); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// TestShareOfRecords: a share reads as none or all only when it is.
func TestShareOfRecords(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20000).Draw(t, "records")
		k := rapid.IntRange(0, n).Draw(t, "of them")
		got := share(float64(k) / float64(n)).String()
		if (got == "0.0 %") != (k == 0) || (got == "100.0 %") != (k == n) {
			t.Fatalf("%d of %d is %q", k, n, got)
		}
	})
	for v, want := range map[float64]string{0.0004: "<0.1 %", 0.0005: "0.1 %", 0.5: "50.0 %", 0.9995: ">99.9 %",
		0.9994: "99.9 %"} {
		if got := share(v).String(); got != want {
			t.Errorf("%v is %q, expected %q", v, got, want)
		}
	}
	if share(math.NaN()).String() != "-" {
		t.Error("no share is written as one")
	}
}

func TestEnumerated(t *testing.T) {
	names := strings.Fields("a b c d e f g h i j")
	for n, want := range map[int]string{1: "a", 2: "a and b", 8: "a, b, c, d, e, f, g and h",
		9:  "a, b, c, d, e, f and g and 2 further columns",
		10: "a, b, c, d, e, f and g and 3 further columns"} {
		if got := enumerated(names[:n]).String(); got != want {
			t.Errorf("%d names: %q, expected %q", n, got, want)
		}
	}
}

// TestMeans prints the means of a comparison to the digits that their spread leaves.
func TestMeans(t *testing.T) {
	for _, c := range []struct {
		s    *study.Summary
		want string
	}{
		{nil, "n/a"}, {&study.Summary{}, "n/a"}, {&study.Summary{Failed: 3}, "failed"},
		{&study.Summary{Cells: 1, Mean: 12.34567, SD: math.NaN()}, "12.346"},
		{&study.Summary{Cells: 2, Mean: 12.34567, SD: 0}, "12.346"},
		{&study.Summary{Cells: 2, Mean: 12.34567, SD: 1.26}, "12.3 ± 1.3"},
		{&study.Summary{Cells: 2, Mean: 12.34567, SD: 0.0126}, "12.346 ± 0.013"},
		{&study.Summary{Cells: 2, Mean: 1234.5, SD: 126}, "1234 ± 126"},
		{&study.Summary{Cells: 2, Mean: 1e-9, SD: 1e-12}, "0.000000 ± 0.000000"},
		{&study.Summary{Cells: 2, Mean: 5, SD: math.Inf(1), Failed: 1}, "5.000 (1 failed)"},
	} {
		cell := meanCell(&gauge{Scale: &ranking.Scale{Criterion: &study.Criterion{}, Factor: 1}}, c.s)
		if got := shown(&cell); got != c.want {
			t.Errorf("%+v is %q, expected %q", c.s, got, c.want)
		}
	}
	k := withBaseline(
		compared(
			[]trial{
				{name: "tdp\x1b[31m", scores: [4]float64{90, 0.5, 9, 10}},
				{name: "gadp", scores: [4]float64{80, 0.25, 8, 5}},
			},
			1,
			3,
			0,
		),
		"tdp\x1b[31m",
	)
	k.Data[0].Class = "sick\n"
	expect(t, `
GADP reaches 80.0 % in prediction accuracy.
- Judged by prediction accuracy alone: whether people are found was not measured
(found, linkage), so none is recommended for release.
- Prediction accuracy: 80.0 % of the records, against 95.0 % for the original.
- SERS is no ground for the choice: it hardly tells any release (8.000 bits)
from the original itself (9.155).
- tdp [31m is a baseline, not for release, and no candidate.

Wine: 683 records, 10 columns, class "sick\n" with 2 values
3 folds x 2 repeats; mean over the folds ± its standard deviation

measure        original  tdp [31m ✗   gadp
───────
accuracy, % ↑    95.000      90.000  80.000
eduds ↑           1.000       0.500   0.250
sers, bits ↑      9.155       9.000   8.000
linkage, % ↓    100.000      10.000   5.000

↑ higher is better, ↓ lower is better, ✗ not for release

accuracy: Prediction accuracy, % of the records; higher is better
eduds: Evaluation of Data Utility using Domain Similarity, similarity; higher is better
sers: Security Evaluation using Record Similarity, bits; higher is better
linkage: Record linkage, share of the records; lower is better

Notes
- sers: SERS hardly discriminates: no protection scores nearly as much.
`, func(w io.Writer) error { return CompareText(w, k, CompareOptions{}, Screen{Verbose: true}) })
}

// TestTextSaysWhatThePageSays: the summary has the figures, the columns and the remarks of the internal page, line by
// line.
func TestTextSaysWhatThePageSays(t *testing.T) {
	o := sample(t, 300, 2, 1, same)
	o.Notes = message.Texts([]string{"a column is alone"})
	o.Released = o.Original.Gather([]int{4})
	o.Original = o.Original.Gather([]int{3})
	var b bytes.Buffer
	must.NoError(t, Text(&b, o, Screen{Verbose: true}))
	lines := "\n" + strings.Join(words(b.String()), "\n") + "\n"
	for _, want := range []string{
		"\n1 record, released by Framework. Noise inside the leaves. Published in Islam 2007, section 7.1.\nThe original " +
			"is patients.csv, the release release.csv.\n",
		"\nFigure Value How to read it\nRecords inside their segment 99.7 % 1 of 300 records left",
		"\nSEGMENTS 99.0 % higher How segments is read.\n(98.0 to 100.0 %) part 54.32\n", "\nMeasure Value Safer How to " +
			"read it\nLINKAGE 12.3 % higher How linkage is read.\n(11.3 to 13.3 %)\n",
		"\nWhat was not measured\n- SERS: The tables have 70999 rows.\n", "\nnumber 1 numeric other 87.7 %\n",
		"\npassport numeric identifier –\n",
		"\n- noise of 33.33 % by LINFAPT: number 0, number 1, category 0, category 1\n- dropped: passport\n",
		"\nRemarks of the technique\n- A column is alone.\n", "\nWhat this does not protect\n══════════════════════════\n- " +
			"It is noise, not a guarantee.\n",
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("the summary lacks %q:\n%s", want, lines)
		}
	}
	for k := range mostRows {
		o.Changes = append(o.Changes, study.Change{Column: fmt.Sprint("c", k)})
	}
	if text := write(t, o, Screen{Verbose: true}); !strings.Contains(text, "5 further columns not listed") {
		t.Errorf("%d columns: the text does not say that some are not listed", len(o.Changes))
	}
}

// TestBullets: a long remark is wrapped under its mark.
func TestBullets(t *testing.T) {
	var b strings.Builder
	bullets(&b, "Empty", nil)
	bullets(&b, "Notes", []string{"Short.", sentence(strings.Repeat("long ", 30))})
	want := "\nNotes\n- Short.\n- Long" + strings.Repeat(
		" long",
		18,
	) + "\n  " + strings.TrimSpace(strings.Repeat("long ", 11)) + ".\n"
	if b.String() != want {
		t.Errorf("%q, expected %q", b.String(), want)
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if utf8.RuneCountInString(l) > 100 {
			t.Errorf("%q is wide", l)
		}
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestNoRoom: everything that writes says when it cannot.
func TestNoRoom(t *testing.T) {
	o, c := sample(t, 30, 2, 1, same), ranked(compared(paperTrials, 1, 3, 1))
	for name, err := range map[string]error{"HTML": HTML(full{}, o, Options{}),
		"Text": Text(full{}, o, Screen{Verbose: true}), "AttackText": AttackText(full{}, o, nil, Screen{Verbose: true}),
		"CompareHTML":   CompareHTML(full{}, c, CompareOptions{}),
		"CompareText":   CompareText(full{}, c, CompareOptions{}, Screen{Verbose: true}),
		"CatalogueText": CatalogueText(full{}, "x", nil, Screen{}),
		"EntryText":     EntryText(full{}, card.Card{}, "", "", "", nil),
		"ProfileText":   ProfileText(full{}, "x", &profile.Profile{}, nil, &profile.Exposure{}, Screen{Verbose: true})} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPrintable: a text for a terminal is one line of valid characters that neither steer nor turn, and otherwise the
// same.
func TestPrintable(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		got := Printable(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t\x1b\x07\x7f\u009b\u202e\u2067\u2028") ||
			Printable(got) != got {
			t.Fatalf("%q becomes %q", s, got)
		}
	})
	for s, want := range map[string]string{"a\nb": "a b", "\x1b[2J": " [2J", "\u202Eevil\u202C": "evil", "العمر": "العمر",
		"\xff": "\uFFFD", "x\u0085y": "x y"} {
		if got := Printable(s); got != want {
			t.Errorf("%q becomes %q, expected %q", s, got, want)
		}
	}
}
