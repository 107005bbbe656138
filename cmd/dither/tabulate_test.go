package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
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
	out, notes := done(t, "tabulate", in, "--by", "region,sector", "--sum", "turnover", "--person", "firm", "-o",
		path("t.csv"), "--page", path("t.html"), "--record", path("t.json"))
	says(t, out, "MEETS THE LIMITS", "of 12 cells show too much of too few")
	says(t, notes, "each tells more beside the other")
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
	page, err := os.ReadFile(path("t.html"))
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(page), "Counts by region and sector", "Totals of turnover", "×", "Some cells are not shown")
	if strings.Contains(string(page), "too much of too few") || !strings.Contains(out, "too much of too few") {
		t.Error("how many cells are unsafe is said on the page, or not to the custodian")
	}
	rec, err := os.ReadFile(path("t.json"))
	if err != nil {
		t.Fatal(err)
	}
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
	code, text, notes := try(t, "tabulate", in, "--by", "region", "--method", "cellkey", "--seed-file", seed, "-o",
		path("no.csv"))
	says(t, notes, "the tables are not judged, so they may not go out")
	if _, err := os.Stat(path("no.csv")); code != exitUnproven || err == nil || !strings.Contains(text, "NOT JUDGED") {
		t.Errorf("tables that nothing judges: exit %d, written %v", code, err == nil)
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
	var doc desk.Tabulated
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != "dither/tabulate/1" || doc.Cells != 7 || doc.Unsafe != 0 || doc.Records != 19 {
		t.Errorf("%+v", doc)
	}
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
		{"--by region --method magic -o t.csv", "expected suppression or cellkey"},
		{"--by region --dominance 85 -o t.csv", "2,85"},
		{"--by region --p -1 -o t.csv", "percentage"},
		{"--by region --sum turnover,turnover -o t.csv", "another column of this name"},
		{"--by region --limits ema -o t.csv", "judged by the rules"},
	} {
		code, _, notes := try(t, append([]string{"tabulate", in}, strings.Fields(c.args)...)...)
		if code == exitDone || !strings.Contains(notes, c.says) {
			t.Errorf("%s: exit %d: %s", c.args, code, notes)
		}
	}
}

func lines(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
