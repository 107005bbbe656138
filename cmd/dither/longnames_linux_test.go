//go:build !race

// The race detector takes memory of its own.

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
)

// TestLongNames: a heading of a million letters, and a policy of 50,000 columns that the table lacks, on lines of their
// own or all on one, as JSON, take less than 200 MB. That the work of a policy grows in proportion is TestManyColumns
// of package policy.
func TestLongNames(t *testing.T) {
	long.Only(t, "a name of a million letters")
	table := put(t, "in.csv", "age,y\n"+strings.Repeat("1,no\n2,yes\n", 40))
	long := put(t, "long.csv", "age,"+strings.Repeat("x", 1_000_000)+",y\n"+strings.Repeat("1,3,no\n2,4,yes\n", 40))
	var b strings.Builder
	b.WriteString("version: 1\ncolumns:\n")
	for k := range 50_000 {
		fmt.Fprintf(&b, "  unknown_column_with_a_name_like_others_%05d: {role: quasi-identifier}\n", k)
	}
	policy := put(t, "policy.yaml", b.String())
	b.Reset()
	b.WriteString(`{"version": 1, "columns": {"unknown_column_with_a_name_like_others": {}`)
	for k := range 50_000 {
		fmt.Fprintf(&b, `, "unknown_column_with_a_name_like_others_%05d": {"role": "quasi-identifier"}`, k)
	}
	b.WriteString("}}")
	line := put(t, "line.yaml", b.String())
	for _, c := range []struct {
		args []string
		says string // on standard error
		code int
	}{
		{[]string{"inspect", long, "--class", "y"}, "", exitDone},
		{[]string{"protect", long, "--class", "y", "--limits", "none", "-o", long + ".out.csv"}, "", exitDone},
		{[]string{"inspect", table, "--policy", policy}, `policy.yaml:3:3: the table has no column "unknown_`, exitFailed},
		{[]string{"inspect", table, "--policy", line}, `line.yaml:1:28: the table has no column "unknown_`, exitFailed},
		{[]string{"protect", table, "--policy", policy, "-o", table + ".out.csv"},
			`policy.yaml:3:3: the table has no column "unknown_`, exitFailed},
	} {
		p := process(t, c.args...)
		var said, used bytes.Buffer
		p.Args[0], p.Stderr, p.Stdout = "peak", &said, &used
		_ = p.Run()
		if code := p.ProcessState.ExitCode(); code != c.code || !strings.Contains(said.String(), c.says) {
			t.Errorf("%s %.40s: exit %d, %.300q", c.args[0], c.args[1], code, said.String())
		}
		if kB, err := strconv.Atoi(used.String()); err != nil || kB > 200_000 {
			t.Errorf("%s %.40s takes %s kB", c.args[0], c.args[1], used.String())
		}
	}
}

func init() { commands["peak"] = peak }

// peak runs the command, says on standard output how much memory it took at most, in kB, and ends as it did. It is a
// process of its own, for what the tests hold would count: until a process begins another program, its memory is that
// of the one that began it.
func peak() {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p := &exec.Cmd{Path: exe, Args: append([]string{"dither"}, os.Args[1:]...), Stderr: os.Stderr}
	if err := p.Run(); p.ProcessState == nil {
		panic(err)
	}
	fmt.Print(p.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	os.Exit(p.ProcessState.ExitCode())
}
