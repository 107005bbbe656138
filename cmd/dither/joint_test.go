package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/relay"
)

// custodian is a party of a test: a process of its own, behind a relay.
type custodian struct {
	name, dir string
	relay     *relay.Relay
	cmd       *exec.Cmd
	out, err  strings.Builder
	code      int
	answers   bool // it has said where
}

// Write takes what the program says to standard error, and tells the relay where it listens.
func (c *custodian) Write(p []byte) (int, error) {
	c.err.Write(p)
	_, rest, said := strings.Cut(c.err.String(), " answered at ")
	if at, _, whole := strings.Cut(rest, "\n"); said && whole && !c.answers {
		c.answers = true
		c.relay.Target <- at
	}
	return len(p), nil
}

func (c *custodian) file(name string) string { return filepath.Join(c.dir, c.name+name) }

// custodians makes keys, tables and a plan for three parties that add numbers.
func custodians(t *testing.T, silence int) []*custodian {
	t.Helper()
	return agreed(t, func(party int) string {
		table := "cost\n"
		for i := range 8 {
			table += fmt.Sprintln(i * (party + 1) % 8) // the range is that of all
		}
		return table
	}, "--protocol", "sharedsum", "--silence", fmt.Sprint(silence))
}

// agreed makes keys, tables and a plan for three parties; the plan's columns are those of the first one's table.
func agreed(t *testing.T, table func(party int) string, plan ...string) []*custodian {
	t.Helper()
	dir := t.TempDir()
	out := make([]*custodian, 3)
	args := append([]string{"joint", "plan", "--total", "50", "-o", filepath.Join(dir, "plan.yaml"), "--data",
		filepath.Join(dir, "north.csv")}, plan...)
	for k, name := range []string{"north", "south", "west"} {
		c := &custodian{name: name, dir: dir, relay: relay.New(t)}
		write(t, c.file(".csv"), table(k))
		code, print, errs := try(t, "joint", "keys", "--party", name, "-o", c.file(".pem"))
		if code != 0 {
			t.Fatal(errs)
		}
		args = append(args, "--party", name, "--address", name+"="+c.relay.Addr(), "--certificate",
			name+"="+strings.TrimSpace(print))
		out[k] = c
	}
	if code, _, errs := try(t, args...); code != 0 {
		t.Fatal(errs)
	}
	for _, c := range out {
		write(t, c.file(".yaml"), content(t, filepath.Join(dir, "plan.yaml")))
	}
	return out
}

func content(t *testing.T, path string) string {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	return string(b)
}

// begin starts the program of a party.
func (c *custodian) begin(t *testing.T, more ...string) {
	t.Helper()
	c.start(t, c.command(t, more...))
}

// command is the call of a party.
func (c *custodian) command(t *testing.T, more ...string) *exec.Cmd {
	t.Helper()
	return process(t, append([]string{"joint", "run", c.file(".yaml"), "--party", c.name, "--data", c.file(".csv"),
		"--key", c.file(".pem"), "--listen", "127.0.0.1:0", "--wait", "20s", "-o", c.file(".json"), "--record",
		c.file(".record")}, more...)...)
}

// start starts a program as that of the party, and tells its relay where it listens.
func (c *custodian) start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	c.cmd, c.answers = cmd, false
	c.out.Reset()
	c.err.Reset()
	cmd.Stdout, cmd.Stderr = &c.out, c
	must.NoError(t, cmd.Start())
}

// end waits until a party has ended and all that it said is here. It ends by the times of its plan; five minutes are
// for a party that does not.
func (c *custodian) end() {
	late := time.AfterFunc(5*time.Minute, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	_ = c.cmd.Wait()
	c.code = c.cmd.ProcessState.ExitCode()
}

func together(t *testing.T, parties []*custodian) {
	t.Helper()
	var wait sync.WaitGroup
	for _, c := range parties {
		c.begin(t)
	}
	for _, c := range parties {
		wait.Go(c.end)
	}
	wait.Wait()
}

// complaint is the last line that a party said, which is the only one of an error; nothing was written then.
func (c *custodian) complaint(t *testing.T) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(c.err.String()), "\n")
	last := lines[len(lines)-1]
	errs := slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return strings.HasPrefix(s, "note: ") })
	if c.code < 1 || !strings.HasPrefix(last, "dither: ") || len(errs) != 1 || c.out.String() != "" {
		t.Errorf("%s ended with status %d: %s%s", c.name, c.code, c.err.String(), c.out.String())
	}
	files := must.Get(filepath.Glob(filepath.Join(c.dir, c.name+"*")))(t)
	for _, f := range files {
		name := strings.TrimPrefix(f, filepath.Join(c.dir, c.name))
		if !slices.Contains([]string{".csv", ".yaml", ".pem", ".pem.history", ".ledger"}, name) {
			t.Errorf("%s wrote %s", c.name, name)
		}
	}
	return last
}

func TestJointRun(t *testing.T) {
	t.Parallel()
	parties := custodians(t, 20)
	together(t, parties)
	var first desk.JointRecord
	for k, c := range parties {
		c.right(t)
		var r desk.JointRecord
		must.NoError(t, json.Unmarshal([]byte(content(t, c.file(".record"))), &r))
		if k == 0 {
			first = r
		}
		if run, of := r.Runs[0], first.Runs[0]; run.Session != of.Session || run.Plan != of.Plan || run.Rounds != 13 ||
			run.Sent != 26 || run.BytesSent < 1000 || run.Party != c.name {
			t.Errorf("the record of %s is %+v", c.name, r)
		}
		if st, err := os.Stat(c.file(".pem.history")); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("the history of %s: %v", c.name, err)
		}
		for _, f := range []string{".json", ".record"} {
			must.NoError(t, os.Remove(c.file(f)))
		}
	}
	tooAlike(t, parties)
}

// tooAlike runs the plan again, with one more record at a party.
func tooAlike(t *testing.T, parties []*custodian) {
	t.Helper()
	write(t, parties[1].file(".csv"), content(t, parties[1].file(".csv"))+"3\n")
	for _, c := range parties {
		c.relay.Reset()
	}
	together(t, parties)
	if last := parties[1].complaint(t); parties[1].code != exitThreshold || !strings.Contains(last, "1 of its records") {
		t.Errorf("status %d: %s", parties[1].code, last)
	}
	for _, c := range []*custodian{parties[0], parties[2]} {
		if last := c.complaint(t); c.code != exitFailed || !strings.Contains(last, "south: refused") {
			t.Errorf("%s: %s", c.name, last)
		}
	}
}

// The commands that look at plans say what is wrong and with what.
func TestJointCalls(t *testing.T) {
	t.Parallel()
	parties := custodians(t, 20)
	plan, data := parties[0].file(".yaml"), parties[0].file(".csv")
	code, out, errs := try(t, "joint", "try", plan, "--data", data, "--data", data, "--data", data)
	if code != 0 || !strings.Contains(out, "every party learns\nrecords: 24\n") {
		t.Errorf("%d: %s%s", code, out, errs)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"2 tables (--data), where 3 parties", []string{"try", plan, "--data", data, "--data", data}},
		{"the parties of the plan are north, south, west", []string{"run", plan, "--party", "x", "--data", data, "--key",
			data}},
		{"private key", []string{"run", plan, "--party", "north", "--data", data, "--key", data}},
		{"brings a table", []string{"run", plan, "--party", "north", "--key", parties[0].file(".pem")}},
		{"exists; --force", []string{"plan", "--protocol", "ringsum", "--party", "a", "--party", "b", "--party", "c", "-o",
			plan}},
		{"exists; --force", []string{"keys", "--party", "a", "-o", parties[0].file(".pem")}},
		{"did you mean", []string{"plan", "--protocol", "rinsum", "--party", "a", "--party", "b", "--party", "c"}},
		{"the plan has 2: each of two could take its own part", []string{"plan", "--protocol", "ringsum", "--party", "a",
			"--party", "b"}},
		{"two can run id3 or verticalbayes (dither joint protocols", []string{"plan", "--protocol", "naivebayes",
			"--party", "a", "--party", "b"}},
		{"rings: 4 parties have 1 rings", []string{"plan", "--protocol", "ringsum", "--party", "a", "--party", "b",
			"--party", "c", "--party", "d", "--set", "rings=2"}},
		{"no column", []string{"plan", "--protocol", "ringsum", "--party", "a", "--party", "b", "--party", "c", "--data",
			data, "--column", "x"}},
	} {
		code, out, errs := try(t, append([]string{"joint"}, c.args...)...)
		if code != exitUsage || !strings.Contains(errs, c.says) || out != "" ||
			strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d, %s%s", c.args, code, out, errs)
		}
	}
	draft := filepath.Join(t.TempDir(), "draft.yaml")
	_, errs = done(t, "joint", "plan", "--protocol", "rules", "--party", "hospital", "--party", "clinic", "-o", draft)
	says(t, errs, "it has no columns yet; --data TABLE")
	if code, _, errs := try(t, "joint", "try", draft, "--data", data, "--data", data); code != exitUsage ||
		!strings.Contains(errs, "columns: none yet, and rules needs records of each party, with the columns of") {
		t.Errorf("a draft is tried with status %d: %s", code, errs)
	}
	out, _ = done(t, "methods", "secure", "multi-party")
	says(t, out, "dither joint protocols")
	if code, out, _ := try(t, "joint", "protocols"); code != 0 || strings.Count(out, "sum  ") < 3 {
		t.Errorf("joint protocols: %d: %s", code, out)
	}
}

// TestJointPage runs every command of docs/joint.md, each party in a process of its own, with the files that the page
// shows; what the parties print is what it says. Fingerprints and addresses are those of the test.
func TestJointPage(t *testing.T) {
	long.Only(t, "ten processes")
	t.Parallel()
	page := content(t, filepath.Join("..", "..", "docs", "joint.md"))
	dir := t.TempDir()
	var plans, shown []string
	for k, block := range strings.Split(page, "```") {
		head, text, _ := strings.Cut(block, "\n")
		kind, name, named := strings.Cut(head, " ")
		switch {
		case k%2 == 0:
			continue
		case named:
			write(t, filepath.Join(dir, name), text)
		default:
			shown = append(shown, text)
		}
		if kind == "yaml" {
			plans = append(plans, name)
		}
	}
	if len(plans) != 2 || len(shown) != 2 {
		t.Fatalf("the page has %d plans and %d results", len(plans), len(shown))
	}
	parties := map[string]*custodian{}
	runs := map[string][]*exec.Cmd{}
	for line := range strings.Lines(page) {
		command, ok := strings.CutPrefix(line, "    dither ")
		if !ok {
			continue
		}
		cmd := process(t, strings.Fields(command)...)
		cmd.Dir = dir
		if cmd.Args[2] == "run" {
			runs[cmd.Args[3]] = append(runs[cmd.Args[3]], cmd)
			continue
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("dither %s%s", command, out)
		}
		if name := cmd.Args[len(cmd.Args)-3]; cmd.Args[2] == "keys" {
			parties[name] = &custodian{name: name, dir: dir, relay: relay.New(t)}
			parties[name].join(t, plans, strings.TrimSpace(string(out)))
		}
		if cmd.Args[2] == "try" && !strings.Contains(string(out), shown[slices.Index(plans, cmd.Args[3])]) {
			t.Errorf("a rehearsal prints %s", out)
		}
	}
	for k, plan := range plans {
		if len(runs[plan]) != 3-k {
			t.Fatalf("the page has %d runs of %s", len(runs[plan]), plan)
		}
		for _, cmd := range runs[plan] {
			cmd.Args = append(cmd.Args, "--listen", "127.0.0.1:0", "--wait", "30s")
			parties[cmd.Args[5]].start(t, cmd)
		}
		for _, cmd := range runs[plan] {
			c := parties[cmd.Args[5]]
			if c.end(); c.code != 0 || !strings.HasPrefix(c.out.String(), shown[k]) {
				t.Errorf("%s prints %s%s, expected\n%s", c.name, c.out.String(), c.err.String(), shown[k])
			}
		}
	}
}

// join puts the fingerprint of a party into the plan that has it, and its address, where the plan has one for it.
func (c *custodian) join(t *testing.T, plans []string, fingerprint string) {
	t.Helper()
	for _, plan := range plans {
		path := filepath.Join(c.dir, plan)
		if text := content(t, path); strings.Contains(text, strings.ToUpper(c.name)) {
			text = strings.Replace(text, strings.ToUpper(c.name), fingerprint, 1)
			write(t, path, strings.Replace(text, "127.0.0.1:0", c.relay.Addr(), 1))
		}
	}
}
