package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// shop is a table for the verbs, in a folder of its own.
func shop(t *testing.T) (in string, path func(string) string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,income,town,y\n")
	for i := range 40 {
		b.WriteString(
			[]string{"21,10.5,Ulm,no\n", "23,12.5,Bonn,no\n", "45,30.5,Ulm,yes\n", "47,31.0,Kiel,yes\n",
				"49,29.5,Bonn,yes\n"}[i%5],
		)
	}
	in = put(t, "shop.csv", b.String())
	return in, func(name string) string { return filepath.Join(filepath.Dir(in), name) }
}

// done runs a call that must succeed and returns what it prints and notes.
func done(t *testing.T, args ...string) (out, notes string) {
	t.Helper()
	code, out, notes := try(t, args...)
	if code != exitDone {
		t.Fatalf("dither %s: exit %d: %s", strings.Join(args, " "), code, notes)
	}
	return out, notes
}

// says checks that a text holds all of these.
func says(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func TestInspectVerb(t *testing.T) {
	in, path := shop(t)
	out, notes := done(t, "inspect", in, "--class", "y", "--verbose")
	says(t, out, "shop.csv: 40 records, 4 columns", "21 to 49", "10.5 to 31.0", "class")
	if notes != "note: 35 records repeat an earlier one in every column\n" {
		t.Error(notes)
	}
	out, _ = done(t, "inspect", in, "--class", "y", "--role", "age=quasi-identifier", "--role", "town=quasi-identifier",
		"-v")
	says(t, out, "Before anything is done, by age and town", "The smallest class has 8 records; there are 5 classes",
		"class size")
	plain := path("plain.csv")
	must.NoError(t, os.WriteFile(plain, []byte("a,y\n1,no\n1,no\n2,yes\n2,yes\n?,yes\n"), 0o600))
	out, notes = done(t, "inspect", plain, "--role", "a=other", "--role", "y=other", "--complete")
	says(t, strings.Join(strings.Fields(out), " "), "No column is a quasi-identifier; name those an intruder may know "+
		"with --role column=quasi-identifier.")
	says(t, notes, "note: 1 record with a missing value was left out")
}

func TestProtectVerb(t *testing.T) {
	in, path := shop(t)
	out, _ := done(t, "protect", in, "--limits", "none", "--class", "y", "-o", path("out.csv"))
	says(t, out, "--report measures what became of", "\nrelease      "+path("out.csv")+"\n")
	out, _ = done(t, "protect", in, "--limits", "none", "--class", "y", "-o", path("out.csv"), "--force", "--report",
		path("r.html"), "--public", "--seed-file", path("seed"))
	says(t, out, "report       "+path("r.html")+"\n", "seed         "+path("seed")+"  (confidential")
	if strings.Contains(out, "--report measures") {
		t.Error("with a report more than the certificate is counted")
	}
}

func TestEvaluateVerb(t *testing.T) {
	in, path := shop(t)
	_, notes := done(t, "protect", "--limits", "none", in, "--class", "y", "-o", path("random.csv"))
	says(t, notes, "nothing records which row is whose; --plan-out FILE keeps it, with the plan\n")
	_, notes = done(t, "evaluate", "--limits", "none", in, path("random.csv"), "--class", "y", "--measure", "linkage")
	says(t, notes, "measures of single records are not taken; --plan FILE, as --plan-out wrote it", "--paired")
	_, notes = done(t, "protect", "--limits", "none", in, "--class", "y", "-o", path("old.csv"), "--shuffle",
		"--plan-out", path("old.json"))
	says(t, notes, "note: --shuffle is not needed any more", "a random order unless --keep-order is given")
	done(t, "protect", "--limits", "none", in, "--class", "y", "-o", path("out.csv"), "--plan-out", path("plan.json"),
		"--keep-order")
	out, notes := done(t, "evaluate", "--limits", "none", in, path("out.csv"), "--class", "y", "--measure", "bias",
		"--report", path("r.html"))
	says(t, out, "Largest change of a correlation", "\nreport       "+path("r.html")+"  (confidential")
	says(t, notes, "note: row i of the release is taken for row i of the original; a release in another order needs "+
		"--unpaired\n")
	out, notes = done(t, "evaluate", "--limits", "none", in, path("out.csv"), "--class", "y", "--measure", "segments",
		"--plan", path("plan.json"))
	says(t, out, "Records inside their segment", "100 %")
	if notes != "" {
		t.Error(notes)
	}
	out, _ = done(t, "attack", "--limits", "none", in, path("out.csv"), "--class", "y", "--measure", "linkage",
		"--paired", "--knows", "age~2,town", "--report", path("a.html"), "--riskiest", "3")
	says(t, out, "An intruder who knows age within 2, town", "report       "+path("a.html")+"  (confidential")
}

func TestCompareVerb(t *testing.T) {
	in, path := shop(t)
	out, notes := done(t, "compare", in, "--class", "y", "--method", "framework, rpt", "--set",
		"framework.spread=10,20", "--measure", "bias", "--folds", "2", "--repeats", "1", "-o", path("c.json"), "--csv",
		path("c.csv"), "--report", path("c.html"))
	says(t, out, `shop: 40 records, 4 columns, class "y" with 2 values`, "2 folds x 1 repeat;", "framewor…spread=10",
		"rpt", "results      "+path("c.json"), "runs         "+path("c.csv"), "report       "+path("c.html"),
		"lower is better", "bias ↓")
	if notes != "" {
		t.Error(notes)
	}
	if out, _ = done(t, "compare", in, "--class", "y", "--method", "rpt", "--measure", "bias", "--folds", "2", "--repeats",
		"1", "--json", "-o", path("d.json")); strings.Contains(out, "results  ") {
		t.Error("beside a document there is text")
	}
	printed, err := os.ReadFile(path("d.json"))
	if err != nil || string(printed) != out {
		t.Errorf("what is printed and what is written differ: %v", err)
	}
	data, err := os.ReadFile(in)
	if err != nil || os.WriteFile(path("again.csv"), data, 0o600) != nil {
		t.Fatal(err)
	}
	out, _ = done(t, "compare", in, path("again.csv"), "--class", "y, y", "--method", "tdp", "--measure", "bias",
		"--folds", "2", "--repeats", "1", "--json")
	says(t, out, `"baseline": true`, `"name": "again"`)
}

func TestMineVerbs(t *testing.T) {
	in, path := shop(t)
	text, notes := done(t, "mine", "tree", in, "--class", "y", "--set", "minLeaf=4")
	says(t, notes, "note: the class is y; the tree is grown on 40 records")
	out, _ := done(t, "mine", "tree", in, "--class", "y", "--set", "minLeaf=4", "--json", "-o", path("tree.json"))
	if out != "" {
		t.Errorf("what goes to a file is printed too: %s", out)
	}
	if again, _ := done(t, "mine", "tree", "--read", path("tree.json")); again != text {
		t.Errorf("a tree that was saved reads\n%s, it was\n%s", again, text)
	}
	dot, _ := done(t, "mine", "tree", "--read", path("tree.json"), "--dot")
	svg, _ := done(t, "mine", "tree", "--read", path("tree.json"), "--svg")
	says(t, dot, "digraph")
	says(t, svg, "<svg")
	out, _ = done(t, "mine", "clusters", in, "--set", "k=2", "--labels", path("l.csv"), "--role", "y=identifier")
	says(t, out, "2 clusters of 40 records")
	out, _ = done(t, "mine", "model", in, "--class", "y", "--miner", "bore", "-o", path("m.txt"))
	if written, err := os.ReadFile(path("m.txt")); err != nil || out != "" ||
		!strings.Contains(string(written), "y = yes") {
		t.Errorf("%v: printed %q, written %q", err, out, written)
	}
}

func TestGenerateVerb(t *testing.T) {
	_, path := shop(t)
	out, _ := done(t, "generate", "patients", "-n", "1200", "-o", path("p.csv"))
	says(t, out, path("p.csv")+": 1,200 invented records, ")
	if code, _, _ := try(t, "generate", "patients", "-n", "10", "-o", path("p.csv")); code != exitUsage {
		t.Error("an old table is overwritten")
	}
	done(t, "generate", "patients", "-n", "10", "-o", path("p.csv"), "--force")
}

// TestStandardInput: a table on standard input gives the bytes that its file gives, in every verb that reads one.
func TestStandardInput(t *testing.T) {
	t.Setenv("COLUMNS", "200") // where lines end depends on how long the file's name is
	in, path := shop(t)
	table := must.Get(os.ReadFile(in))(t)
	done(t, "protect", "--limits", "none", in, "--class", "y", "-o", path("file.csv"), "--seed-file", path("seed"))
	for _, c := range []struct{ args, file string }{
		{"protect - --limits none --class y -o OUT --force --seed-file SEED", ""},
		{"inspect - --class y", "inspect IN --class y"},
		{"evaluate - OUT --limits none --class y --measure bias", "evaluate IN OUT --limits none --class y --measure bias"},
		{"mine tree - --class y", "mine tree IN --class y"},
		{"mine model - --class y --miner bore", "mine model IN --class y --miner bore"},
	} {
		words := strings.NewReplacer("IN", in, "OUT", path("piped.csv"), "SEED", path("seed"))
		var out, notes strings.Builder
		if code := run(t.Context(), strings.Fields(words.Replace(c.args)), strings.NewReader(string(table)), &out,
			&notes); code != exitDone {
			t.Fatalf("dither %s: exit %d: %s", c.args, code, notes.String())
		}
		if c.file == "" {
			continue
		}
		want, _ := done(t, strings.Fields(words.Replace(c.file))...)
		want, _, _ = strings.Cut(want, "next: dither ") // a call that read standard input is not made again
		if got := strings.ReplaceAll(out.String(), "standard input", "shop.csv"); got != want {
			t.Errorf("dither %s prints\n%s, of the file\n%s", c.args, got, want)
		}
	}
	file, err := os.ReadFile(path("file.csv"))
	piped, err2 := os.ReadFile(path("piped.csv"))
	if err != nil || err2 != nil || string(file) != string(piped) {
		t.Errorf("%v, %v: what is piped is released otherwise than what is in a file", err, err2)
	}
}
