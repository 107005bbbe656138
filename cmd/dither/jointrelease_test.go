package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// patients is the table of a party; the plan does not have the column of their names.
func patients(party int) string {
	draw := rand.New(rand.NewPCG(uint64(party), 7))
	var b strings.Builder
	b.WriteString("patient,age,ward,dose,ill\n90,18,a,0,no\n91,90,b,10,yes\n92,50,c,1.5,no\n") // the range is that of all
	for i := range 200 {
		age, ward, ill := 18+draw.IntN(73), draw.IntN(3), "no"
		if age > 60 && ward > 0 || draw.IntN(12) == 0 {
			ill = "yes"
		}
		fmt.Fprintf(&b, "name %d of %d,%d,%c,%.1f,%s\n", i, party, age, 'a'+ward, float64(draw.IntN(101))/10, ill)
	}
	return b.String()
}

// Each party's release is judged at that party, by its own limits: one that does not keep them is withheld there and is
// nowhere, and those of the others go out. A release has the columns of the plan only, and its plan says whose each
// record is.
func TestJointRelease(t *testing.T) {
	long.Only(t, "a joint release by three processes")
	t.Parallel()
	parties := agreed(t, patients, "--protocol", "jointframework", "--class", "ill", "--column", "age", "--column", "ward",
		"--column", "dose", "--column", "ill")
	for k, c := range parties {
		write(t, c.file(".seed"), strings.Repeat("12", 32)) // with some seeds a few people can be looked up
		more := []string{"--release", c.file("-release.csv"), "--report", c.file(".html"), "--plan-out", c.file(".plan"),
			"--seed-file", c.file(".seed")}
		limits := c.file(".limits")
		write(t, limits, "limits: [{measure: segments, min: 1}]") // which every release keeps, whatever was drawn
		if k == 2 {
			limits = "hipaa" // which has no ages of 90
		}
		more = append(more, "--limits", limits)
		c.begin(t, more...)
	}
	for k, c := range parties {
		c.end()
		said, code := "verdict: MEETS THE LIMITS", exitDone
		if k == 2 {
			said, code = "verdict: WITHHELD", exitThreshold
		}
		if c.code != code || !strings.Contains(c.out.String(), said) || !strings.Contains(c.out.String(), "leaves: ") {
			t.Fatalf("%s ended with status %d: %s%s", c.name, c.code, c.out.String(), c.err.String())
		}
		if strings.Contains(c.err.String(), "not judged") {
			t.Errorf("%s says of a release that was judged: %s", c.name, c.err.String())
		}
		if withheld := strings.Contains(content(t, c.file(".json")), `"state": "withheld"`); withheld != (k == 2) {
			t.Errorf("the document of %s says %v", c.name, withheld)
		}
		content(t, c.file(".html"))
		content(t, c.file(".record"))
		for _, path := range []string{c.file("-release.csv"), c.file(".plan")} {
			if _, err := os.Stat(path); (err == nil) != (k < 2) {
				t.Errorf("%s: %s: %v", c.name, path, err)
			}
		}
	}
	north := parties[0]
	release := content(t, north.file("-release.csv"))
	if head, rest, _ := strings.Cut(release, "\n"); head != "age,ward,dose,ill" || strings.Count(rest, "\n") != 203 {
		t.Errorf("the release is %s and %d lines", head, strings.Count(rest, "\n"))
	}
	done(t, "evaluate", north.file(".csv"), north.file("-release.csv"), "--plan", north.file(".plan"), "--measure",
		"segments", "--class", "ill")
}

// What a party gets of a protocol that protects nothing is not judged, and it is told so; there is no report of it.
func TestJointTableIsNotJudged(t *testing.T) {
	t.Parallel()
	table := func(party int) string {
		text := "key,x\n"
		for i := range 20 {
			text += fmt.Sprintf("k%d,%d\n", i+party, i)
		}
		return text
	}
	parties := agreed(t, table, "--protocol", "intersection", "--column", "key", "--key", "key")
	for _, c := range parties[:2] {
		c.begin(t, "--release", c.file("-rows.csv"))
	}
	parties[2].begin(t, "--release", parties[2].file("-rows.csv"), "--report", parties[2].file(".html"))
	for _, c := range parties[:2] {
		if c.end(); c.code != exitDone || !strings.Contains(c.err.String(), "is not judged") {
			t.Errorf("%s ended with status %d: %s%s", c.name, c.code, c.out.String(), c.err.String())
		}
		if rows := strings.Count(content(t, c.file("-rows.csv")), "\n"); rows != 19 {
			t.Errorf("%s has %d lines", c.name, rows)
		}
	}
	if parties[2].end(); parties[2].code != exitUsage || !strings.Contains(parties[2].err.String(), "protects nothing") {
		t.Errorf("status %d: %s", parties[2].code, parties[2].err.String())
	}
	if _, err := os.Stat(parties[2].file("-rows.csv")); err == nil {
		t.Error("a refused call writes its table")
	}
}

// A party whose seed is the same makes the same release when a plan is run again, whatever the others do; another seed
// makes another.
func TestJointReleaseSeed(t *testing.T) {
	long.Only(t, "six processes")
	t.Parallel()
	parties := agreed(t, patients, "--protocol", "jointframework", "--class", "ill", "--column", "age", "--column", "ward",
		"--column", "dose", "--column", "ill")
	release := func() (out [3]string) {
		for _, c := range parties {
			c.relay.Reset()
			c.begin(t, "--release", c.file("-release.csv"), "--seed-file", c.file(".seed"), "--limits", "none", "--force")
		}
		for k, c := range parties {
			if c.end(); c.code != exitDone {
				t.Fatalf("%s ended with status %d: %s%s", c.name, c.code, c.out.String(), c.err.String())
			}
			out[k] = content(t, c.file("-release.csv"))
		}
		return out
	}
	first := release()
	write(t, parties[1].file(".seed"), strings.Repeat("7", 64))
	for k, text := range release() {
		if same := text == first[k]; same != (k != 1) {
			t.Errorf("the second release of %s is the first one: %v", parties[k].name, same)
		}
	}
	north := parties[0]
	code, _, errs := try(t, "joint", "run", north.file(".yaml"), "--party", "north", "--data", north.file(".csv"), "--key",
		north.file(".pem"), "--seed-file", north.file(".seed"))
	if code != exitUsage || !strings.Contains(errs, "none is asked for") {
		t.Errorf("a seed without a release: status %d, %s", code, errs)
	}
}

// What is advised for a release in which people can be looked up is there to be taken: with this seed some can. Who
// evaluates the release, and names the class as the plan does, gets the same verdict.
func TestJointReleaseBlanked(t *testing.T) {
	long.Only(t, "six processes whose releases are judged")
	t.Parallel()
	parties := agreed(t, patients, "--protocol", "jointframework", "--class", "ill", "--column", "age", "--column", "ward",
		"--column", "dose", "--column", "ill", "--set", "bins=12")
	north := parties[0]
	for _, blank := range []bool{false, true} {
		for _, c := range parties {
			c.relay.Reset()
			write(t, c.file(".seed"), strings.Repeat("56", 32))
			c.begin(t, "--release", c.file("-release.csv"), "--seed-file", c.file(".seed"), "--plan-out", c.file(".plan"),
				"--force", fmt.Sprint("--blank-lookups=", blank))
		}
		for _, c := range parties {
			c.end()
		}
		says := north.out.String() + north.err.String()
		if strings.Contains(says, "looks up") == blank || strings.Contains(says, "(--blank-lookups)") == blank ||
			(north.code == exitThreshold) == blank {
			t.Errorf("blanked %v: status %d: %s", blank, north.code, says)
		}
	}
	type judged struct {
		State                   string
		Gate, Sentence, Demands any
	}
	var run struct{ Parties []struct{ Verdict judged } }
	var evaluated struct{ Verdict judged }
	out, _ := done(t, "evaluate", north.file(".csv"), north.file("-release.csv"), "--plan", north.file(".plan"), "--class",
		"ill", "--json")
	must.NoError(t, errors.Join(json.Unmarshal([]byte(content(t, north.file(".json"))), &run),
		json.Unmarshal([]byte(out), &evaluated)))
	if d := cmp.Diff(run.Parties[0].Verdict, evaluated.Verdict); d != "" {
		t.Errorf("the run and evaluate judge otherwise:\n%s", d)
	}
}
