package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/tabulation"
)

// firms is a table of few firms in most cells; one of them has several records.
const firms = `region,sector,firm,turnover
north,mining,A,100
north,mining,B,20
north,mining,C,5
north,trade,D,30
north,trade,E,30
north,trade,F,35
north,trade,G,25
north,farms,H,10
south,mining,A,60
south,mining,A,60
south,mining,A,60
south,trade,I,30
south,trade,J,25
south,trade,K,35
south,trade,L,30
south,farms,M,10
south,farms,N,11
south,farms,O,12
south,farms,P,13
`

func TestTabulateVerb(t *testing.T) {
	in := put(t, "firms.csv", firms)
	path := func(name string) string { return strings.TrimSuffix(in, "firms.csv") + name }
	out, _ := done(t, "tabulate", in, "--by", "region,sector", "--sum", "turnover", "--person", "firm", "-o",
		path("t.csv"), "--page", path("t.html"), "--record", path("t.json"))
	says(t, out, "MEETS THE LIMITS", "of 12 cells show too much of too few")
	says(t, out, "A release of records of the same people was not looked at")
	status := map[string]string{}
	for _, line := range lines(t, path("t.csv"))[1:] {
		status[line[1]+"/"+line[2]] = line[5]
		if (line[5] == "suppressed") != (line[3] == "" && line[4] == "") {
			t.Errorf("a cell is neither shown nor left out: %v", line)
		}
	}
	// one firm has three records in the south's mining: they are one unit; the second largest firm of the north's mining
	// knows the largest to within 5
	for _, unsafe := range []string{"south/mining", "north/mining", "north/farms"} {
		if status[unsafe] != "suppressed" {
			t.Errorf("%s is shown", unsafe)
		}
	}
	if status["Total/trade"] != "" {
		t.Error("the total of trade is not shown")
	}
	page := must.Get(os.ReadFile(path("t.html")))(t)
	says(t, string(page), "Counts by region and sector", "Totals of turnover", "×", "Some cells are not shown")
	if strings.Contains(string(page), "too much of too few") || !strings.Contains(out, "too much of too few") {
		t.Error("how many cells are unsafe is said on the page, or not to the custodian")
	}
	rec := must.Get(os.ReadFile(path("t.json")))(t)
	says(t, string(rec), `"tabulate"`, `"meets the limits"`, "suppression")
}

// Cell keys show every cell, and the same tables by the same seed in another call.
func TestTabulateCellKey(t *testing.T) {
	in := put(t, "firms.csv", firms)
	path := func(name string) string { return strings.TrimSuffix(in, "firms.csv") + name }
	seed := put(t, "seed", strings.Repeat("1", 64))
	call := func(out string, by ...string) {
		args := []string{"tabulate", in, "--method", "cellkey", "--limits", "none", "--seed-file", seed, "-o", path(out)}
		for _, b := range by {
			args = append(args, "--by", b)
		}
		text, _ := done(t, args...)
		says(t, text, "NOT JUDGED", "the same records by the same number in every table")
	}
	call("a.csv", "region,sector")
	call("b.csv", "sector", "region,sector")
	a := lines(t, path("a.csv"))[1:]
	for _, line := range lines(t, path("b.csv"))[1:] {
		for _, other := range a {
			if line[0] == "2" && line[1] == other[2] && line[2] == other[1] && line[3] != other[3] {
				t.Errorf("%v is %v in another call", line, other)
			}
		}
	}
}

// Codes that a spreadsheet would run are told of, and guarded where that is asked for.
func TestTabulateFormulas(t *testing.T) {
	in := put(t, "runs.csv", "region\n"+strings.Repeat("=cmd()\nnorth\n", 5))
	_, notes := done(t, "tabulate", in, "--by", "region", "-o", in+".a.csv")
	says(t, notes, "--guard-formulas")
	done(t, "tabulate", in, "--by", "region", "--guard-formulas", "-o", in+".b.csv")
	for file, want := range map[string]string{".a.csv": "=cmd()", ".b.csv": "'=cmd()"} {
		if all := lines(t, in+file); !slices.ContainsFunc(all, func(l []string) bool { return l[1] == want }) {
			t.Errorf("%s: %v", file, all)
		}
	}
}

func TestTabulateDocument(t *testing.T) {
	in := put(t, "firms.csv", firms)
	out, _ := done(t, "tabulate", in, "--by", "region", "--by", "sector", "-o", in+".t.csv", "--json")
	doc := tabulated(t, out)
	if doc.Schema != "dither/tabulate/1" || doc.Cells != 7 || doc.Unsafe != 0 || doc.Records != 19 ||
		doc.State != study.Meets || doc.Verdict.Gate.Passed != 1 {
		t.Errorf("%+v", doc)
	}
}

// tabulatedParts is what of the JSON document tests look at.
type tabulatedParts struct {
	Schema, Method               string
	Cells, Unsafe, Records, Base int
	State                        study.State
	Found                        tabulation.Found
	Verdict                      struct{ Gate study.Gate }
}

func tabulated(t *testing.T, out string) (doc tabulatedParts) {
	t.Helper()
	must.NoError(t, json.Unmarshal([]byte(out), &doc))
	return doc
}

// people are 600 of three towns and eight ages: many combinations have one or two.
func townsAndAges(t *testing.T) string {
	var b strings.Builder
	b.WriteString("town,age,ill\n")
	for i := range 600 {
		fmt.Fprintf(&b, "t%d,a%d,%d\n", i*i%41%17, i*i*i%101%8, i%7/6)
	}
	return put(t, "people.csv", b.String())
}

// What moves counts too little is withheld, with its figures in text, report, record and document, and is written only
// where the limit is overridden by name or none is asked for.
func TestTabulateVerdict(t *testing.T) {
	in := townsAndAges(t)
	seed := put(t, "seed", strings.Repeat("1", 64))
	call := []string{"tabulate", in, "--by", "town,age,ill", "--method", "cellkey", "--deviation", "1", "--variance",
		"0.02",
		"--seed-file", seed, "-o", in + ".t.csv", "--report", in + ".html", "--record", in + ".json", "--force"}
	code, text, notes := try(t, call...)
	says(t, text, "WITHHELD", "guessed", "--deviation", "limits broken)")
	says(t, notes, "the tables are withheld: ")
	if _, err := os.Stat(in + ".t.csv"); code != exitThreshold || err == nil {
		t.Errorf("exit %d, written %v", code, err == nil)
	}
	for _, kept := range []string{".html", ".json"} {
		file, err := os.ReadFile(in + kept)
		if err != nil || !strings.Contains(strings.ToLower(string(file)), "withheld") {
			t.Errorf("%s: %v", kept, err)
		}
	}
	_, out, _ := try(t, append(call, "--json")...)
	if f := tabulated(t, out).Found; f.Guessed == nil || 2*f.Guessed.Right < f.Guessed.Tried+f.Guessed.Control {
		t.Errorf("%+v", f)
	}
	accept := append(slices.Clone(call), "--accept", "guessedcells=1", "--accept", "differences=1", "--accept",
		"opencells=1")
	text, _ = done(t, accept...)
	says(t, text, "RELEASE WITH CARE", "(limit accepted by the custodian)")
	text, _ = done(t, append(slices.Clone(call), "--limits", "none")...)
	says(t, text, "NOT JUDGED")
	limits := put(t, "limits.yaml", "limits: [{measure: guessedcells, max: 1}]")
	text, _ = done(t, append(slices.Clone(call), "--limits", limits)...)
	says(t, text, "1 of 1 limit kept")
}

// A policy says all that flags say, and rounded tables add up.
func TestTabulatePolicy(t *testing.T) {
	in := townsAndAges(t)
	seed := put(t, "seed", strings.Repeat("1", 64))
	p := put(t, "p.yaml", "version: 1\ntables: {by: [[town, age], [ill]], method: rounding, base: 3, minimum: 2}\n")
	out, _ := done(t, "tabulate", in, "--policy", p, "--seed-file", seed, "-o", in+".t.csv", "--json")
	doc := tabulated(t, out)
	if doc.Method != "rounding" || doc.Base != 3 || doc.State != study.Meets || doc.Found.Open.Right > 0 {
		t.Errorf("%+v", doc)
	}
	totals := map[string]int{}
	for _, line := range lines(t, in+".t.csv")[1:] {
		n, err := strconv.Atoi(line[4])
		if err != nil || n%3 != 0 || n == 0 {
			t.Errorf("%v", line)
		}
		switch {
		case line[1] == "Total" && line[2] == "Total":
			totals["all"] += n
		case line[2] == "Total":
			totals["towns"] += n
		case line[1] == "Total":
			totals["ages"] += n
		case line[1] != "":
			totals["inner"] += n
		}
	}
	for what, n := range totals {
		if n != totals["all"] {
			t.Errorf("%s come to %d of %d", what, n, totals["all"])
		}
	}
}

// A release that shows the columns of a table as they are tells every cell that was left out; one that generalises
// singles people out where zeros of the table rule out all other records.
func TestTabulateBeside(t *testing.T) {
	in := townsAndAges(t)
	text, _ := done(t, "tabulate", in, "--by", "town,age", "-o", in+".a.csv")
	says(t, text, "MEETS THE LIMITS", "--beside FILE")
	code, text, notes := try(t, "tabulate", in, "--by", "town,age", "--beside", in, "-o", in+".b.csv", "--json")
	j := tabulated(t, text).Found.Joint
	if code != exitThreshold || j == nil || j.Cells.Right != j.Cells.Tried || j.Cells.Tried == 0 ||
		j.Alone.Right == j.Alone.Tried {
		t.Errorf("exit %d: %+v", code, j)
	}
	says(t, notes, "the tables are withheld: Share of unsafe counts named with the release")

	// only c of the north is in the town n1, where nobody has what the other records of the north show
	small := put(t, "small.csv", "town,ill\n"+strings.Repeat("n2,flu\n", 5)+"n1,gout\n"+strings.Repeat("s1,gout\n", 5))
	tree := put(t, "tree.csv", "n1;north;*\nn2;north;*\ns1;south;*\n")
	release := put(t, "release.csv", "town,ill\n"+strings.Repeat("north,flu\n", 5)+"north,gout\n"+
		strings.Repeat("south,gout\n", 5))
	_, text, _ = try(t, "tabulate", small, "--by", "town,ill", "--hierarchy", "town="+tree, "--beside", release, "-o",
		in+".c.csv", "--json")
	if j := tabulated(t, text).Found.Joint; j == nil || j.People != 11 || j.Singled != 1 || j.Before != 0 {
		t.Errorf("%+v", j)
	}
}

// What could not be looked at is not taken for safe: a release under other names of columns or values, totals beside a
// release, and tables without a rule. A custodian may accept it by name.
func TestTabulateUnseen(t *testing.T) {
	in := townsAndAges(t)
	data := must.Get(os.ReadFile(in))(t)
	renamed := put(t, "renamed.csv", strings.Replace(string(data), "town", "Town", 1))
	values := put(t, "values.csv", "town"+strings.ToUpper(strings.TrimPrefix(string(data), "town")))
	firm := put(t, "firms.csv", firms)
	for _, c := range []struct{ args, says string }{
		{in + " --by town,age --beside " + renamed, "the release lacks a column of 1 of 1 table"},
		{in + " --by town,age --beside " + values, "lacks a column|neither in the original nor in its hierarchies"},
		{firm + " --by region,sector --sum turnover --beside " + firm, "WITHHELD|totals are not attacked"},
		{in + " --by town,age --minimum 1", "no rule says which cells show too few"},
		{in + " --by town,age --method cellkey --minimum 0", "no rule says which cells show too few"},
	} {
		args := append(strings.Fields("tabulate "+c.args), "-o", in+".unseen.csv")
		code, text, _ := try(t, args...)
		text = strings.Join(strings.Fields(text), " ") // lines are wrapped, and begin with a capital
		if code != exitThreshold && code != exitUnproven || strings.Contains(text, "MEETS THE LIMITS") ||
			!slices.ContainsFunc(strings.Split(c.says, "|"), func(s string) bool {
				return strings.Contains(strings.ToLower(text), strings.ToLower(s))
			}) {
			t.Errorf("%s: exit %d:\n%s", c.args, code, text)
		}
	}
	text, _ := done(t, "tabulate", in, "--by", "town,age", "--beside", renamed, "--accept", "jointcells=1", "--accept",
		"jointpeople=1", "-o", in+".accepted.csv")
	says(t, text, "RELEASE WITH CARE")
}

// Counts that are all alike are named by everybody who moves nothing; wide rounding is attacked as narrow one is.
func TestTabulateAlike(t *testing.T) {
	in := townsAndAges(t)
	code, text, _ := try(t, "tabulate", in, "--by", "town,age", "--minimum", "2", "--method", "cellkey",
		"--deviation", "1", "--variance", "0.01", "-o", in+".a.csv", "--json")
	if g := tabulated(t, text).Found.Guessed; code != exitThreshold || g == nil || g.Right != g.Tried ||
		g.Tried != g.Control || g.Tried == 0 {
		t.Errorf("exit %d: %+v", code, g)
	}
	_, text, _ = try(t, "tabulate", in, "--by", "town,age", "--method", "rounding", "--base", "500", "-o", in+".b.csv",
		"--json")
	if g := tabulated(t, text).Found.Guessed; g == nil || g.Right == 0 || g.Right < g.Control/2 {
		t.Errorf("a wide base: %+v", g)
	}
}

// A column of one letter is no misspelt name of a person that nobody named.
func TestTabulateOneLetter(t *testing.T) {
	in := put(t, "letters.csv", "x,y\n"+strings.Repeat("a,b\nc,d\n", 5))
	done(t, "tabulate", in, "--by", "x,y", "-o", in+".t.csv")
}

func TestTabulateRefuses(t *testing.T) {
	in := put(t, "firms.csv", firms)
	for _, c := range []struct{ args, says string }{
		{"-o t.csv", "--by"},
		{"--by region", "-o FILE"},
		{"--by region,region -o t.csv", "twice"},
		{"--by nowhere -o t.csv", "no column"},
		{"--by region --sum sector -o t.csv", "sector"},
		{"--by region --sum turnover --method cellkey -o t.csv", "suppression"},
		{"--by region --sum turnover --method rounding -o t.csv", "suppression"},
		{"--by region --method rounding --base 1 -o t.csv", "the base is 1"},
		{"--by region --base 7 -o t.csv", "it is of method rounding"},
		{"--by region --method rounding --variance 1 -o t.csv", "are of method cellkey"},
		{"--by region --limits default -o t.csv", "tables have limits of their own"},
		{"--by region --accept found=1 -o t.csv", "no limit on found"},
		{"--by region --method magic -o t.csv", "expected suppression, cellkey or rounding"},
		{"--by region --dominance 85 -o t.csv", "2,85"},
		{"--by region --p -1 -o t.csv", "percentage"},
		{"--by region --sum turnover,turnover -o t.csv", "another column of this name"},
		{"--by region --limits ema -o t.csv", "it is for records"},
	} {
		code, _, notes := try(t, append([]string{"tabulate", in}, strings.Fields(c.args)...)...)
		if code == exitDone || !strings.Contains(notes, c.says) {
			t.Errorf("%s: exit %d: %s", c.args, code, notes)
		}
	}
}

func lines(t *testing.T, path string) [][]string {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	return must.Get(csv.NewReader(f).ReadAll())(t)
}
