package hiding

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// seven are the transactions that the literature hides a,b in.
func seven(t *testing.T) *table.Table {
	labels := []string{"a", "b", "c", "d", "e"}
	var rows [][]int32
	for _, text := range []string{"abc", "abd", "acd", "bcd", "abcd", "ab", "ce"} {
		var row []int32
		for _, r := range text {
			row = append(row, r-'a')
		}
		rows = append(rows, row)
	}
	return tabletest.Of(t, table.SetColumn("s", labels, table.SetsOf(rows, nil)))
}

// texts writes the items of every record, unknown ones with a question mark.
func texts(t *table.Table) (out []string) {
	s := t.Sets(0)
	for i := range t.Rows() {
		var b strings.Builder
		for _, v := range s.Present.Row(i) {
			b.WriteString(t.Attr(0).Labels[v])
		}
		for _, v := range s.Unknown.Row(i) {
			b.WriteString("?" + t.Attr(0).Labels[v])
		}
		out = append(out, b.String())
	}
	return out
}

// sevens are the algorithms with what they hide in the seven transactions, and what is left of these.
var sevens = []struct {
	how  *heuristic
	list string
	set  func(s *Settings)
	want string
}{
	{maxMin, "a,b", func(s *Settings) { s.Support = 2 }, "bc bd acd bcd abcd b ce"},
	{maxMin2, "a,b", func(s *Settings) { s.Support = 2 }, "bc bd acd bcd abcd b ce"},
	{bba, "a,b", func(s *Settings) { s.Support = 2 }, "bc bd acd bcd abcd b ce"},
	{exact, "a,b", func(s *Settings) { s.Support, s.Nodes = 2, 1000 }, "bc bd acd bcd abcd a ce"},
	{largest, "a,b", func(s *Settings) { s.Support = 2 }, "ac bd acd bcd abcd b ce"},
	{inTurn, "a,b", func(s *Settings) { s.Support = 2 }, "bc ad acd bcd bcd ab ce"},
	{gih, "a=>b", func(s *Settings) { s.Support = 3 }, "ac?b abd acd bcd abcd b?a ce"},
	{lowerEnd, "a=>b", func(s *Settings) { s.Support, s.Confidence = 2, 0.6 }, "ac abd acd bcd abcd a ce"},
	{cr, "a=>b", func(s *Settings) { s.Support, s.Confidence = 2, 0.6 }, "ac?b abd acd bcd abcd a?b ce"},
	{atallah, "a,b", func(s *Settings) { s.Support = 2 }, "ac bd acd bcd abcd b ce"},
	{mixed, "a=>b", func(s *Settings) { s.Support, s.Confidence = 2, 0.7 }, "abc abd acd bcd abcd a?b ce?a?b"},
	{fuzzy, "a=>b", func(s *Settings) { s.Support, s.Confidence = 2, 0.6 }, "ac?b abd acd bcd abcd a?b ce"},
	{
		fuzzy,
		"a=>b",
		func(s *Settings) { s.Support, s.Confidence, s.How, s.Free = 2, 0.6, Fuzzy2a, "c,a" },
		"bc?a abd acd bcd abcd b?a ce",
	},
	{fuzzy, "a,b", func(s *Settings) { s.Support, s.How, s.Free = 3, Fuzzy2b, "b" }, "ac?b abd acd bcd abcd a?b ce"},
	{naive, "a,b", func(*Settings) {}, "c d acd bcd cd a ce"},
	{minFIA, "a,d", func(*Settings) {}, "abc ab ac bcd abc ab ce"},
	{maxFIA, "a,d", func(*Settings) {}, "abc bd cd bcd bcd ab ce"},
	{iga, "a,b;a,c", func(*Settings) {}, "bc bd cd bcd bcd b ce"},
	{swa, "a,b @ 0.5", func(s *Settings) { s.Window = 3 }, "bc abd acd bcd abcd b ce"},
	{raise, "e=>c", func(s *Settings) { s.Support, s.Confidence = 1, 0.5 }, "abc abde acd bcd abcd abe ce"},
	{cr2, "a=>b", func(s *Settings) { s.Support, s.Confidence = 2, 0.75 }, "abc abd acd bcd abcd ab ce?a"},
	{swa, "a,b", func(s *Settings) { s.Window, s.Disclosure = 3, 0.5 }, "bc abd acd bcd abcd b ce"},
	{maxFIA, "a,b;a,c", func(s *Settings) { s.Disclosure = 0.5 }, "bc abd acd bcd bcd ab ce"},
	{maxFIA, "a,b;a,c", func(s *Settings) { s.Disclosure, s.Order = 0.5, Ascending }, "bc bd cd bcd abcd b ce"},
}

// TestSeven hides a,b, or a=>b, in the seven transactions by every algorithm, as worked out by hand.
func TestSeven(t *testing.T) {
	for _, x := range sevens {
		s := Settings{Sensitive: x.list, Intervals: 4, Order: Descending}
		x.set(&s)
		tab := seven(t)
		p := must.Get(fit(t.Context(), s, tab, x.how))(t)
		out := must.Get(executor.Run(context.Background(), p, tab, rng.Source{}, protect.Options{}))(t)
		if got := strings.Join(texts(out), " "); got != x.want {
			t.Errorf("%s of %s: %s, want %s", x.how.named(), x.list, got, x.want)
		}
		if listed, found, err := p.Found(out); err != nil || listed != p.Trial.Patterns || found != p.Trial.Left {
			t.Errorf("%s: %d of %d patterns can be found in the release, %v; the trial has %+v", x.how.named(), found, listed,
				err, p.Trial)
		}
		if _, found, err := p.Found(tab); err != nil || found != p.Trial.Found {
			t.Errorf("%s: %d patterns can be found in the original, %v; the trial has %+v", x.how.named(), found, err, p.Trial)
		}
		cells := 0
		for i, now := range texts(out) {
			was := texts(tab)[i]
			for _, v := range "abcde" {
				if strings.ContainsRune(was, v) != strings.ContainsRune(now, v) || strings.Contains(now, "?"+string(v)) {
					cells++
				}
			}
		}
		if p.Trial.Changes != cells {
			t.Errorf("%s: %d items changed, the trial has %+v", x.how.named(), cells, p.Trial)
		}
		if notes := strings.Join(message.Written(p.Notes()), "\n"); strings.Contains(notes, x.list) {
			t.Errorf("%s: the notes tell what is sensitive: %s", x.how.named(), notes)
		}
	}
}

// TestTable hides rules in numbers and categories: deleting makes a value missing, adding puts another in its place,
// and a record that misses a value is left alone.
func TestTable(t *testing.T) {
	class := table.CatColumn("ill", []string{"no", "yes"}, []int32{1, 1, 1, 0, 0, 1})
	class.Role = table.Class
	tab := tabletest.Of(t, table.CatColumn("job", []string{"cook", "nurse", "smith"}, []int32{1, 1, 1, 0, 2, -1}), class,
		table.NumColumn("age", 1, []float64{20, 30, 40, 50, 60, 70}))
	s := Settings{Sensitive: "job=nurse=>ill=yes", Intervals: 2, Support: 2, Confidence: 0.7}
	p := must.Get(fit(t.Context(), s, tab, raise))(t)
	out, err := p.Apply(tab.Gather([]int{0, 1, 2, 3, 4, 5}), rng.Source{})
	must.NoError(t, err)
	// 3 of 3 nurses are ill; with two more who are not, 3 of 5. The cook comes first, and who has no job stays without.
	if got := out.Cat(0); !slices.Equal(got, []int32{1, 1, 1, 1, 1, -1}) || !slices.Equal(out.Cat(1), tab.Cat(1)) ||
		!slices.Equal(p.Changes(), []string{"job", "ill"}) {
		t.Errorf("jobs %v, class %v, changes %q", got, out.Cat(1), p.Changes())
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "1 pattern listed, 1 of them "+
		"present; cells changed: 2, of 2 records") || !strings.Contains(notes, "nothing was added to 1 record") {
		t.Error(notes)
	}
	s.Sensitive = `"age < 50"=>ill=yes`
	if p, err = fit(t.Context(), s, tab, lowerRule); err != nil {
		t.Fatal(err)
	}
	if out, err = p.Apply(tab, rng.Source{}); err != nil {
		t.Fatal(err)
	}
	gone := 0
	for i := range out.Rows() {
		if out.MissingAt(i, 1) || out.MissingAt(i, 2) {
			gone++
		}
	}
	// One end less leaves 2 of 3, below 0.7.
	if gone != 1 || out.Cat(1)[0] != -1 || out.Cat(0)[0] != 1 {
		t.Errorf("%d records lost a value: %v, %v", gone, out.Cat(1), out.Num(2))
	}
}

// TestRivals: rules that begin with different values of one column take records from each other, but each record once,
// so it ends.
func TestRivals(t *testing.T) {
	var job, ill []int32
	for i := range 40 {
		job, ill = append(job, int32(i%2)), append(ill, int32(i%4/3))
	}
	tab := tabletest.Of(t, table.CatColumn("job", []string{"cook", "nurse"}, job),
		table.CatColumn("ill", []string{"no", "yes"}, ill))
	for _, fallback := range []bool{false, true} {
		s := Settings{
			Sensitive:  "job=cook=>ill=no;job=nurse=>ill=no;job=nurse=>ill=yes",
			Intervals:  2,
			Support:    1,
			Confidence: 0.45,
			Fallback:   fallback,
		}
		p := must.Get(fit(t.Context(), s, tab, raise))(t)
		if p.Trial.Changes == 0 || p.Trial.Fell != fallback {
			t.Errorf("%+v", p.Trial)
		}
	}
}

// TestRefused: what cannot be hidden is said, and never named.
func TestRefused(t *testing.T) {
	for _, x := range []struct {
		how  *heuristic
		list string
		want string
	}{
		{lowerEnd, "", `parameter "sensitive" lists nothing`},
		{lowerEnd, "# only\n", "nothing but remarks"},
		{lowerEnd, "a,b", "pattern 1 is an itemset"},
		{largest, "a,b;a,c @ 0.2", "pattern 2 has a threshold of its own"},
		{swa, "a,b @ 1.2", "line 1: expected a threshold from 0 to 1"},
		{minFIA, "a,b;a", "pattern 2 is a single item"},
		{largest, "a;secret", "pattern in line 1: there is no such item"},
	} {
		_, err := fit(t.Context(), Settings{Sensitive: x.list, Support: 2, Confidence: 0.5, Intervals: 4}, seven(t), x.how)
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s of %q: %v, want %q", x.how.named(), x.list, err, x.want)
		}
	}
	empty := seven(t).Slice(0, 0)
	if _, err := fit(t.Context(), Settings{Sensitive: "a,b", Support: 2, Intervals: 4}, empty, largest); err != nil {
		t.Errorf("a table without records: %v", err)
	}
}

// TestExactNotes: what is proved is said, and what is not.
func TestExactNotes(t *testing.T) {
	s := Settings{Sensitive: "a,b", Intervals: 4, Support: 2, Nodes: 1000}
	p := must.Get(fit(t.Context(), s, seven(t), exact))(t)
	notes := strings.Join(message.Written(p.Notes()), "\n")
	for _, want := range []string{"proved: no release that hides what is listed by deleting items loses fewer than 0 of " +
		"11 frequent itemsets that may stay", "none deletes fewer than 3 items"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q lacks %q", notes, want)
		}
	}
	o := &Optimum{Patterns: 11, Lost: 2, LeastLost: 1, Nodes: 7}
	if notes := strings.Join(message.Written(o.notes()), "\n"); !strings.Contains(notes, "not proved within 7 nodes: "+
		"this release loses 2 of 11") || !strings.Contains(notes, "loses at least 1") {
		t.Error(notes)
	}
	o = &Optimum{Patterns: 11, Lost: 1, LeastLost: 1, Cells: 9, LeastCells: 8}
	if notes := strings.Join(message.Written(o.notes()), "\n"); !strings.Contains(notes, "deletes 9 items; whether "+
		"fewer than that do is not proved, but fewer than 8 do not") {
		t.Error(notes)
	}
}

// TestGuess: what a reader gets right who fills unknown items in, of items and records as worked out by hand, and no
// name.
func TestGuess(t *testing.T) {
	for _, x := range []struct {
		how  *heuristic
		want Guess
		text string
	}{
		{cr, Guess{1, 1, 1}, "is right in more than 75 % of the records for 1 of 1 item, and in 100 % for one of them"},
		{cr2, Guess{1, 0, 0}, "is right for at most 0 % of the records"},
		{mixed, Guess{2, 0, 0.5}, "is right for at most 50 % of the records, for any of 2 items"},
		{fuzzy, Guess{1, 1, 1}, "fills them in"},
	} {
		s := Settings{Sensitive: "a=>b", Intervals: 4, Support: 2, Confidence: 0.7}
		p := must.Get(fit(t.Context(), s, seven(t), x.how))(t)
		if notes := strings.Join(message.Written(p.Notes()), "\n"); p.Trial.Guess == nil || *p.Trial.Guess != x.want ||
			!strings.Contains(notes, x.text) {
			t.Errorf("%s: %+v, want %+v; %s", x.how.named(), p.Trial.Guess, x.want, notes)
		}
	}
	s := Settings{Sensitive: "a,b", Intervals: 4, Support: 2}
	if p, err := fit(t.Context(), s, seven(t), maxMin); err != nil || p.Trial.Guess != nil {
		t.Errorf("deletions leave nothing to guess: %+v, %v", p.Trial.Guess, err)
	}
	s = Settings{Sensitive: "a=>b", Free: "a=>c", Intervals: 4, Support: 2, Confidence: 0.7}
	if _, err := fit(t.Context(), s, seven(t), fuzzy); err == nil ||
		!strings.Contains(err.Error(), `parameter "free" lists a rule`) {
		t.Error(err)
	}
}

// TestMargin: a margin that reaches the threshold would let a technique change records and hide nothing.
func TestMargin(t *testing.T) {
	for _, x := range []struct {
		list    string
		how     *heuristic
		margin  float64
		refused bool
	}{
		{"a,b", largest, 0.3, true},
		{"a,b", gih, 0.29, false},
		{"a=>b", lowerEnd, 0.7, true},
		{"a=>b", lowerEnd, 0.5, false}, // its confidence can still fall
	} {
		s := Settings{Sensitive: x.list, Intervals: 4, Support: 0.3, Confidence: 0.7, Margin: x.margin}
		if _, err := fit(t.Context(), s, seven(t), x.how); (err != nil) != x.refused ||
			err != nil && !strings.Contains(err.Error(), "nothing could be hidden") {
			t.Errorf("%s, margin %v: %v", x.how.named(), x.margin, err)
		}
	}
}

// A record that misses a value of the patterns' columns is left alone by the techniques that add items, and by them
// alone.
func TestAddsNothingToMissingValues(t *testing.T) {
	yes := table.CatColumn("ill", []string{"no", "yes"}, []int32{1, 1, 1, 0, 0, 1})
	tab := tabletest.Of(t, table.CatColumn("job", []string{"cook", "nurse"}, []int32{1, 1, 1, 0, 0, -1}), yes)
	for _, m := range Methods {
		q := m.New().(*Technique)
		q.Sensitive, q.Support, q.Confidence = "job=nurse=>ill=yes", 2, 0.7
		p, err := q.Fit(t.Context(), tab, rng.Source{})
		if err != nil {
			t.Fatal(m.Name, err)
		}
		want := 0
		if slices.Contains([]string{"hide1a", "cr2", "crmixed"}, m.Name) {
			want = 1
		}
		if got := p.(*Plan).Trial.Closed; got != want {
			t.Errorf("%s leaves %d records alone, expected %d", m.Name, got, want)
		}
	}
}
