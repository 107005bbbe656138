package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// race is a file of transactions that is mined at a support.
type race struct {
	title, file, support string
	// sorts that Borgelt's programs took for all, closed and maximal sets; empty where that is not known
	field [3]string
}

// races are what others were measured on.
var races = []race{
	{"T10I4D100K", "t10i4d100k/t10i4d100k.dat", "0.001", [3]string{"2.0", "1.8", "2.0"}},
	{"retail", "retail/retail.dat", "0.0002", [3]string{"1.9", "2.1", "3.2"}},
	{"chess", "chess/chess.dat", "0.5", [3]string{"0.22", "1.9", "0.57"}},
	{"mushroom", "mushroom-transactions/mushroom.dat", "0.1", [3]string{"0.11", "0.15", "0.14"}},
	{"mushroom", "mushroom-transactions/mushroom.dat", "0.05", [3]string{"0.15", "0.26", "0.17"}},
}

// itemsetKinds are the flags of the kinds.
var itemsetKinds = [3]string{"", "--closed", "--maximal"}

// cost is what the best of several runs of a command took.
type cost struct {
	secs, processor float64
	peak            float64 // MB, the most of all
	says            string  // its first line
}

// best runs a command three times, or more often while a second lasts.
func best(ctx context.Context, exe string, args ...string) (c cost, err error) {
	c.secs = math.Inf(1)
	for k, begun := 0, time.Now(); k < 3 || time.Since(begun) < time.Second; k++ {
		p := exec.CommandContext(ctx, exe, args...)
		start := time.Now()
		out, err := p.Output()
		secs := time.Since(start).Seconds()
		if err != nil {
			return c, fmt.Errorf("dither %s: %w", strings.Join(args, " "), err)
		}
		if c.peak = max(c.peak, peakMB(p.ProcessState)); secs < c.secs {
			line, _, _ := bytes.Cut(out, []byte("\n"))
			c.secs, c.processor, c.says = secs, (p.ProcessState.UserTime() + p.ProcessState.SystemTime()).Seconds(), string(line)
		}
	}
	return c, nil
}

// miner mines files with the command.
type miner struct {
	dir, exe string
	sorted   float64 // seconds of the yardstick
	seed     string
	w        io.Writer
}

// miningParts are the tables, by the name that -parts knows, each under its mark in the page.
var miningParts = []struct {
	name  string
	bench func(*miner, context.Context) error
}{{"files", (*miner).races}, {"million", (*miner).large}, {"growth", (*miner).growth}}

// benchMining prints what mining itemsets takes as a whole process, or puts it into a page: all tables, or those of
// some parts, with commas between.
func benchMining(ctx context.Context, parts, page string) error {
	asked := strings.Split(parts, ",")
	var names []string
	for _, p := range miningParts {
		names = append(names, p.name)
	}
	for _, name := range asked {
		if parts != "" && !slices.Contains(names, name) {
			return fmt.Errorf("-parts: no part %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	dir, exe, err := built()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	seed := filepath.Join(dir, "seed")
	if err := os.WriteFile(seed, []byte(strings.Repeat("0123456789abcdef", 4)+"\n"), 0o600); err != nil {
		return err
	}
	for _, p := range miningParts {
		if parts != "" && !slices.Contains(asked, p.name) {
			continue
		}
		var text strings.Builder
		m := &miner{dir: dir, exe: exe, sorted: yardstick.Best().Seconds(), seed: seed, w: &text}
		fmt.Fprintln(m.w, rerun.Wrap(fmt.Sprintf("%d cores; the yardstick, `slices.Sort` of 1,000,000 random float64, took "+
			"%.3f s at its best. Whole processes, the best of three "+
			"runs, of short ones of as many as a second holds: the file is read, all itemsets are found and counted, and the "+
			"20 commonest are printed.", runtime.GOMAXPROCS(0), m.sorted)))
		if err := p.bench(m, ctx); err != nil {
			return err
		}
		if err := published(page, "<!-- mining: "+p.name+" -->\n", text.String()); err != nil {
			return err
		}
	}
	return nil
}

// mine mines a file for itemsets of a kind.
func (m *miner) mine(ctx context.Context, file, support, kind string) (cost, error) {
	args := []string{"mine", "itemsets", file, "--support", support}
	if kind != "" {
		args = append(args, kind)
	}
	c, err := best(ctx, m.exe, args...)
	fmt.Fprintf(os.Stderr, "%s %s %s: %.2f s\n", filepath.Base(file), support, kind, c.secs)
	return c, err
}

// raceHead is above a table of races.
const raceHead = "\n| file | support | kind | itemsets | seconds | sorts | the field, sorts | of the field |\n" +
	"|---|--:|---|--:|--:|--:|--:|--:|\n"

// races prints a table of what others were measured on.
func (m *miner) races(ctx context.Context) error {
	fmt.Fprint(m.w, raceHead)
	for _, r := range races {
		path, err := dataset.Path(r.file)
		if err != nil {
			return err
		}
		if err := m.row(ctx, r, path); err != nil {
			return err
		}
	}
	return nil
}

// large prints a table of a million transactions.
func (m *miner) large(ctx context.Context) error {
	fmt.Fprint(m.w, raceHead)
	path, _, err := m.quest(ctx, 1_000_000, "T=20", "I=6")
	if err != nil {
		return err
	}
	return m.row(ctx, race{title: "T20I6D1M, `dither generate quest`", support: "0.001"}, path)
}

// row prints a line for each kind.
func (m *miner) row(ctx context.Context, r race, path string) error {
	for k, kind := range itemsetKinds {
		c, err := m.mine(ctx, path, r.support, kind)
		if err != nil {
			return err
		}
		var share float64
		of := ""
		if _, err := fmt.Sscan(r.field[k], &share); err == nil {
			of = fmt.Sprintf("%.2f", c.secs/m.sorted/share)
		}
		name := [3]string{"all", "closed", "maximal"}[k]
		sets, _, _ := strings.Cut(c.says, " ")
		fmt.Fprintf(
			m.w,
			"| %s | %s %% | %s | %s | %.3f | %.2f | %s | %s |\n",
			r.title,
			percent(r.support),
			name,
			sets,
			c.secs,
			c.secs/m.sorted,
			r.field[k],
			of,
		)
	}
	return nil
}

// percent writes a share.
func percent(share string) string {
	var v float64
	fmt.Sscan(share, &v)
	return fmt.Sprintf("%.4g", 100*v)
}

// quest generates transactions and returns their file.
func (m *miner) quest(ctx context.Context, rows int, set ...string) (path string, c cost, err error) {
	path = filepath.Join(m.dir, fmt.Sprintf("%d.dat", rows))
	args := []string{"generate", "quest", "-n", fmt.Sprint(rows), "-o", path, "--force", "--seed-file", m.seed}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	c, err = best(ctx, m.exe, args...)
	return path, c, err
}

// growth prints what the same law takes at more and more transactions.
func (m *miner) growth(ctx context.Context) error {
	fmt.Fprint(m.w, "\n", rerun.Wrap("T10I4 by `dither generate quest` at a support of 0.1 %. The slope is that of the "+
		"logarithms of the processor seconds: 1 is in proportion to the transactions. "+
		"Some 20 MB of every peak are the program itself, whatever the file."), "\n\n")
	fmt.Fprint(m.w, "| transactions | file MB | generated in s | peak MB | mined in s | sorts | processor s | slope | "+
		"peak MB | peak / file |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	last := math.NaN()
	for rows := 10_000; rows <= 10_000_000; rows *= 10 {
		path, made, err := m.quest(ctx, rows)
		if err != nil {
			return err
		}
		c, err := m.mine(ctx, path, "0.001", "")
		if err != nil {
			return err
		}
		st, err := os.Stat(path)
		if err != nil {
			return err
		}
		slope := ""
		if s := math.Log10(c.processor / last); !math.IsNaN(s) {
			slope = fmt.Sprintf("%.2f", s)
		}
		mb := float64(st.Size()) / (1 << 20)
		fmt.Fprintf(m.w, "| %d | %.1f | %.2f | %.0f | %.2f | %.1f | %.2f | %s | %.0f | %.1f |\n",
			rows, mb, made.secs, made.peak, c.secs, c.secs/m.sorted, c.processor, slope, c.peak, c.peak/mb)
		last = c.processor
		os.Remove(path)
	}
	return nil
}
