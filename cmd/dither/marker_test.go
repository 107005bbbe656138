package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// marked are the inputs of a call that hold values of people: every text among these holds the mark, every number its
// digits.
const (
	mark       = "zqxwv"
	markDigits = "73519"
)

// people is a table in the formats that are text: the names of columns are no values.
func people(format string) []byte {
	var b strings.Builder
	row := func(i int) string {
		town := []string{"Ulm", "Bonn", "O'Fallon"}[i%3] + mark
		return fmt.Sprintf("%s%d,%d%d,%s,20%02d-0%d-1%d,%s", mark, i, i%4+1, 73519, town, i%30, i%9+1, i%9,
			[]string{"no", "yes"}[i%2]+mark)
	}
	if format == "arff" {
		b.WriteString(
			"@relation t\n@attribute name string\n@attribute wage numeric\n@attribute town {Ulm" + mark + ",Bonn" + mark +
				",\"O'Fallon" + mark + "\"}\n@attribute born date \"yyyy-MM-dd\"\n@attribute y {no" + mark + ",yes" + mark +
				"}\n@data\n",
		)
	} else {
		b.WriteString("name,wage,town,born,y\n")
	}
	for i := range 40 {
		s := row(i)
		if format == "arff" {
			s = strings.Replace(s, "O'Fallon"+mark, "\"O'Fallon"+mark+"\"", 1)
		}
		b.WriteString(s + "\n")
	}
	return []byte(b.String())
}

// damage changes a few bytes behind the first keep: it cuts, deletes, doubles, or puts in what means something to a
// parser.
func damage(data []byte, keep int, r *rand.Rand) []byte {
	data = bytes.Clone(data)
	signs := []string{
		"\"",
		"'",
		",",
		";",
		"\n",
		"\r",
		"\\",
		"{",
		"}",
		"?",
		"%",
		"\x00",
		"\xff",
		"\xef\xbb\xbf",
		"\t",
		" ",
		"-",
		"1e999",
		":",
		"[",
		"]",
		"@data\n",
		"#",
		"|",
		"*",
		"&",
		"\u202e",
	}
	for range 1 + r.IntN(3) {
		if len(data) <= keep+1 {
			break
		}
		at := keep + r.IntN(len(data)-keep)
		end := min(len(data), at+r.IntN(30))
		switch r.IntN(5) {
		case 0:
			data = data[:at]
		case 1:
			data = append(data[:at:at], data[end:]...)
		case 2:
			data = append(data[:end:end], data[at:]...)
		default:
			data = append(data[:at:at], append([]byte(signs[r.IntN(len(signs))]), data[at:]...)...)
		}
	}
	return data
}

// ofHierarchy is what a message shows of a hierarchy: the listed value that is near one that is not listed.
var ofHierarchy = regexp.MustCompile(`\(but ".*" is listed, which (differs in blanks or letter case only|is spelled much alike)\)`)

// TestMessagesHoldNoValue damages tables, hierarchies, policies and plan files that are full of values with a mark, and
// calls the verbs with them: no complaint and no note repeats one.
func TestMessagesHoldNoValue(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 1))
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		must.NoError(t, os.WriteFile(path, data, 0o600))
		return path
	}
	get := func(name string) []byte { return must.Get(os.ReadFile(filepath.Join(dir, name)))(t) }
	good, out, plan := put("good.csv", people("csv")), filepath.Join(dir, "out.csv"), filepath.Join(dir, "plan.json")
	done(t, "protect", good, "--class", "y", "--limits", "none", "--keep-text", "name", "--method", "sample", "-o",
		filepath.Join(dir, "good.parquet"))
	done(t, "protect", good, "--class", "y", "--limits", "none", "--role", "name=identifier", "-o", out, "--plan-out",
		plan)
	tree := strings.ReplaceAll("Ulm@;south@;*\nBonn@;west@;*\nO'Fallon@;west@;*\n", "@", mark)
	policy := strings.ReplaceAll("version: 1\nclass: y\ncolumns:\n  town: {values: [Ulm@, Bonn@, \"O'Fallon@\"]}\n  "+
		"wage: {domain: [0, 9000000], step: 1}\n  name: {identifier: drop}\n", "@", mark)
	sources := []struct {
		name string
		data []byte
		keep int // bytes that are names, not values
	}{
		{"bad.csv", get("good.csv"), bytes.IndexByte(get("good.csv"), '\n') + 1},
		{"bad.arff", people("arff"), 0},
		{"bad.parquet", get("good.parquet"), 4},
		{"bad.tree.csv", []byte(tree), 0},
		{"bad.yaml", []byte(policy), 0},
		{"bad.json", get("plan.json"), 0},
	}
	calls, complaints := long.Of(10, 2000), 0
	if testing.Short() {
		calls = 10
	}
	for k := range calls * len(sources) {
		s := sources[k%len(sources)]
		in := put(s.name, damage(s.data, s.keep, r))
		write := []string{"--limits", "none", "-o", out, "--force"}
		var args []string
		switch s.name {
		case "bad.tree.csv":
			args = append(
				[]string{
					"protect",
					good,
					"--class",
					"y",
					"--method",
					"generalise",
					"--hierarchy",
					"town=" + in,
					"--set",
					"levels=town=1",
				},
				write...)
		case "bad.yaml":
			args = []string{"inspect", good, "--policy", in}
		case "bad.json":
			args = append([]string{"protect", good, "--class", "y", "--plan", in}, write...)
		default:
			args = [][]string{{"inspect", in, "--class", "y"},
				append([]string{"protect", in, "--class", "y", "--method", "rpt"}, write...),
				{"evaluate", good, in, "--class", "y", "--measure", "bias", "--limits", "none"},
				append([]string{"protect", in, "--plan", plan}, write...),
				{"mine", "tree", in, "--class", "y"}}[r.IntN(5)]
		}
		code, _, says := try(t, args...)
		if code != exitDone {
			complaints++
		}
		says = ofHierarchy.ReplaceAllString(says, "") // its file is given: a list of codes, not the original
		if strings.Contains(says, mark) || strings.Contains(says, markDigits) {
			t.Errorf("%s: %s", args[0], says)
		}
	}
	if complaints < calls {
		t.Errorf("only %d of %d calls failed", complaints, calls*len(sources))
	}
}
