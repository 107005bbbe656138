package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// beginLargerMining marks where a page has what is printed of mining tables larger than the memory.
const beginLargerMining = "<!-- largermining: generated -->"

// mining is what is mined of a file, by the arguments of mine.
type mining struct {
	title, file string
	args        []string
}

// minings are what is mined of people and of transactions, both as many as the first of the sizes.
var minings = []mining{
	{
		"frequent itemsets of people, support 10 %",
		"census.csv",
		[]string{"itemsets", "--class", "income", "--support", "0.1"},
	},
	{"rules for the class, support 5 %", "census.csv", []string{"rules", "--class", "income", "--support", "0.05"}},
	{"a tree, minLeaf=0", "census.csv", []string{"tree", "--class", "income", "--set", "minLeaf=0", "--json"}},
	{"naive Bayes", "census.csv", []string{"model", "--class", "income", "--miner", "naivebayes", "--json"}},
	{"k-means, restarts=1", "census.csv", []string{"clusters", "--class", "income", "--set", "restarts=1"}},
	{"frequent itemsets of T10I4, support 0.1 %", "quest.dat", []string{"itemsets", "--support", "0.001"}},
	{"maximal ones", "quest.dat", []string{"itemsets", "--support", "0.001", "--maximal"}},
}

// mineLarger prints what mining so many people, and as many transactions, takes within a memory and in memory, or puts
// it into a page. It fails where a run takes more memory than it was given, or finds something else.
func mineLarger(ctx context.Context, sizes, memory, page string) error {
	counts, err := sizesOf(sizes)
	if err != nil {
		return err
	}
	limit, err := gib(memory)
	if err != nil {
		return err
	}
	dir, exe, err := built()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := program{exe, dir}
	n := counts[0]
	if err := p.tables(ctx, n); err != nil {
		return err
	}
	var b strings.Builder
	var failed []error
	fmt.Fprintf(&b, "\n| %d records, `--memory %s` | file MB | processor s | peak MB | in memory: processor s | peak MB "+
		"| times |\n|---|--:|--:|--:|--:|--:|--:|\n", n, memory)
	for _, m := range minings {
		st, err := os.Stat(filepath.Join(dir, m.file))
		if err != nil {
			return err
		}
		within, found, err := p.mine(ctx, m, "--memory", memory)
		if err != nil {
			return err
		}
		plain, expected, err := p.mine(ctx, m)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("| %s | %.0f | %.1f | %.0f | %.1f | %.0f | %.2f |\n", m.title, float64(st.Size())/1e6,
			within.processor, within.peak, plain.processor, plain.peak, within.processor/plain.processor)
		fmt.Fprint(os.Stderr, line)
		b.WriteString(line)
		switch {
		case !bytes.Equal(found, expected):
			failed = append(failed, fmt.Errorf("%s: something else is found within %s than in memory", m.title, memory))
		case within.peak > limit:
			failed = append(failed, fmt.Errorf("%s takes %.0f MB, and was given %.0f MB", m.title, within.peak, limit))
		}
	}
	if failed != nil {
		return errors.Join(failed...)
	}
	return published(page, beginLargerMining, b.String())
}

// program is the program in a directory of its own, with the tables and the seed that it reads.
type program struct{ exe, dir string }

// tables writes n records of people and n transactions.
func (p program) tables(ctx context.Context, n int) error {
	adult, err := complete()
	if err != nil {
		return err
	}
	if err := write(filepath.Join(p.dir, "census.csv"), adult, n); err != nil {
		return err
	}
	quest := exec.CommandContext(
		ctx,
		p.exe,
		"generate",
		"quest",
		"-n",
		fmt.Sprint(n),
		"-o",
		filepath.Join(p.dir, "quest.dat"),
		"--seed-file",
		p.seed(),
	)
	if out, err := quest.CombinedOutput(); err != nil {
		return fmt.Errorf("generate quest: %s", out)
	}
	return nil
}

func (p program) seed() string { return filepath.Join(p.dir, "seed") }

// mine runs the program with more arguments, and returns what that took and what was found.
func (p program) mine(ctx context.Context, m mining, more ...string) (cost, []byte, error) {
	out := filepath.Join(p.dir, "found")
	args := slices.Concat(
		[]string{"mine", m.args[0], filepath.Join(p.dir, m.file)},
		m.args[1:],
		more,
		[]string{"-o", out, "--force"},
	)
	if m.args[0] == "clusters" {
		args = append(args, "--seed-file", p.seed())
	}
	c := exec.CommandContext(ctx, p.exe, args...)
	c.Env = append(os.Environ(), "TMPDIR="+p.dir)
	if said, err := c.CombinedOutput(); err != nil {
		return cost{}, nil, fmt.Errorf("dither %s: %w: %s", strings.Join(args, " "), err, said)
	}
	took := cost{
		processor: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
		peak:      peakMB(c.ProcessState),
	}
	found, err := os.ReadFile(out)
	return took, found, err
}
