package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// technical are words of the library that reads JSON, for programmers.
var technical = regexp.MustCompile(
	`[^.]json: |invalid character|unexpected end of JSON|cannot unmarshal|Go (value|struct)`)

// Files of JSON that are cut, changed or something else are refused with a line that names the file, or says that it is
// the record, in words for the person who has it: nothing of the library that reads it.
func TestBadJSON(t *testing.T) {
	t.Parallel()
	in := put(t, "in.csv", "a,b,y\n"+strings.Repeat("1,red,no\n2,blue,yes\n3,red,yes\n", 20))
	dir := filepath.Dir(in)
	at := func(name string) string { return filepath.Join(dir, name) }
	done(t, "protect", in, "--class", "y", "--method", "framework", "--limits", "none", "-o", at("out.csv"), "--plan-out",
		at("plan.json"), "--record", at("record.json"))
	done(t, "mine", "tree", in, "--class", "y", "--json", "-o", at("tree.json"))
	done(t, "budget", at("a.budget"), "--begin", "--epsilon", "1")
	for _, c := range []struct {
		file string
		args []string
	}{
		{"plan.json", []string{"protect", in, "--plan", "BAD", "--limits", "none", "-o", at("new.csv")}},
		{"plan.json", []string{"evaluate", in, at("out.csv"), "--plan", "BAD"}},
		{"record.json", []string{"verify", "BAD"}},
		{"tree.json", []string{"mine", "tree", in, "--read", "BAD"}},
		{"a.budget", []string{"budget", "BAD"}},
		{"rows.jsonl", []string{"inspect", "BAD"}},
	} {
		good := `{"a":1,"y":"no"}` + "\n" + `{"a":2,"y":"yes"}` + "\n"
		if c.file != "rows.jsonl" {
			good = content(t, at(c.file))
		}
		for k, text := range []string{good[:len(good)/2], strings.Replace(good, `":`, `";`, 1), "[1, 2", "{}", "null", "\"a\"",
			strings.Replace(good, `"`, "", 1), `{"schema": 5}`, strings.Replace(good, ":", ":{", 2)} {
			bad := at("bad" + filepath.Ext(c.file))
			must.NoError(t, os.WriteFile(bad, []byte(text), 0o600))
			args := append([]string{}, c.args...)
			for i := range args {
				args[i] = strings.Replace(args[i], "BAD", bad, 1)
			}
			code, _, errs := try(t, args...)
			if code == exitDone && c.file != "rows.jsonl" || technical.MatchString(errs) ||
				code != exitDone && !strings.Contains(errs, filepath.Base(bad)) && !strings.Contains(errs, "the record does") {
				t.Errorf("%v with text %d of %s: status %d, %s", args[0], k, c.file, code, errs)
			}
		}
	}
}
