package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// beginLargerMining marks where a page has what is printed of mining tables larger than the memory.
const beginLargerMining = "<!-- largermining: generated -->"

// minings are what is mined of people and of transactions, both as many as the first of the sizes.
var minings = []struct {
	title, file string
	args        []string
}{
	{"frequent itemsets of people, support 10 %", "census.csv", []string{"itemsets", "--class", "income", "--support", "0.1"}},
	{"rules for the class, support 5 %", "census.csv", []string{"rules", "--class", "income", "--support", "0.05"}},
	{"a tree, minLeaf=0", "census.csv", []string{"tree", "--class", "income", "--set", "minLeaf=0", "--json"}},
	{"naive Bayes", "census.csv", []string{"model", "--class", "income", "--miner", "naivebayes", "--json"}},
	{"k-means, restarts=1", "census.csv", []string{"clusters", "--class", "income", "--set", "restarts=1"}},
	{"frequent itemsets of T10I4, support 0.1 %", "quest.dat", []string{"itemsets", "--support", "0.001"}},
	{"maximal ones", "quest.dat", []string{"itemsets", "--support", "0.001", "--maximal"}},
}

// mineLarger prints what mining so many people, and as many transactions, takes within a memory and in memory, or puts it into a page. It fails where a run takes more memory than it was
// given, or finds something else.
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
	adult, err := complete()
	if err != nil {
		return err
	}
	n, seed := counts[0], filepath.Join(dir, "seed")
	if err := write(filepath.Join(dir, "census.csv"), adult, n); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, exe, "generate", "quest", "-n", fmt.Sprint(n), "-o", filepath.Join(dir, "quest.dat"), "--seed-file", seed).CombinedOutput(); err != nil {
		return fmt.Errorf("generate quest: %s", out)
	}
	var b strings.Builder
	var failed []error
	fmt.Fprintf(&b, "\n| %d records, `--memory %s` | file MB | processor s | peak MB | in memory: processor s | peak MB | times |\n|---|--:|--:|--:|--:|--:|--:|\n", n, memory)
	for _, m := range minings {
		file := filepath.Join(dir, m.file)
		st, err := os.Stat(file)
		if err != nil {
			return err
		}
		var took [2]cost
		var found [2][]byte
		for k, more := range [][]string{{"--memory", memory}, nil} {
			out := filepath.Join(dir, "found")
			args := append(append([]string{"mine", m.args[0], file}, m.args[1:]...), append(more, "-o", out, "--force")...)
			if m.args[0] == "clusters" {
				args = append(args, "--seed-file", seed)
			}
			c := exec.CommandContext(ctx, exe, args...)
			c.Env = append(os.Environ(), "TMPDIR="+dir)
			if said, err := c.CombinedOutput(); err != nil {
				return fmt.Errorf("dither %s: %w: %s", strings.Join(args, " "), err, said)
			}
			took[k] = cost{processor: (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), peak: peakMB(c.ProcessState)}
			if found[k], err = os.ReadFile(out); err != nil {
				return err
			}
		}
		line := fmt.Sprintf("| %s | %.0f | %.1f | %.0f | %.1f | %.0f | %.2f |\n", m.title, float64(st.Size())/1e6, took[0].processor, took[0].peak, took[1].processor, took[1].peak,
			took[0].processor/took[1].processor)
		fmt.Fprint(os.Stderr, line)
		b.WriteString(line)
		switch {
		case !bytes.Equal(found[0], found[1]):
			failed = append(failed, fmt.Errorf("%s: something else is found within %s than in memory", m.title, memory))
		case took[0].peak > limit:
			failed = append(failed, fmt.Errorf("%s takes %.0f MB, and was given %.0f MB", m.title, took[0].peak, limit))
		}
	}
	if failed != nil {
		return errors.Join(failed...)
	}
	return published(page, beginLargerMining, b.String())
}
