package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// beginVerdict marks where a page has what is printed of the verdict.
const beginVerdict = "<!-- verdict: generated -->\n"

// left are the columns of Adult that the table of 13 lacks, by place.
var left = []int{2, 13}

// benchVerdict prints what protect takes with its verdict and without, in pairs of runs one after the other, on a
// million records of 13 columns, and what evaluate takes with every measure on Adult, or puts it into a page.
func benchVerdict(methods string, pairs int, page string) error {
	dir, exe, err := built()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	adult, err := complete()
	if err != nil {
		return err
	}
	all, some, out := filepath.Join(dir, "all.csv"), filepath.Join(dir, "some.csv"), filepath.Join(dir, "out.csv")
	if err := write(all, adult, 1_000_000); err != nil {
		return err
	}
	if err := without(all, some, left); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| `protect` on 1,000,000 records of %d columns; pairs of runs: %d | processor s without "+
		"limits | with the verdict | times |\n|---|--:|--:|--:|\n", len(adult[0])-len(left), pairs)
	for _, m := range strings.Split(methods, ",") {
		call := []string{"protect", some, "--class", "income", "--method", m, "-o", out, "--force"}
		var none, judged, times []float64
		for range pairs {
			x, err := cpu(exe, append(slices.Clone(call), "--limits", "none")...)
			if err != nil {
				return err
			}
			y, err := cpu(exe, call...)
			if err != nil {
				return err
			}
			none, judged, times = append(none, x), append(judged, y), append(times, y/x)
		}
		fmt.Fprintf(&b, "| %s | %.1f | %.1f | %.2f |\n", m, middle(none), middle(judged), middle(times))
	}
	if err := write(all, adult, len(adult)-1); err != nil {
		return err
	}
	m, _, _ := strings.Cut(methods, ",")
	call := []string{"protect", all, "--class", "income", "--method", m, "--limits", "none", "-o", out, "--force"}
	if _, err := cpu(exe, call...); err != nil {
		return err
	}
	var secs []float64
	for range pairs {
		s, err := cpu(exe, "evaluate", all, out, "--class", "income")
		if err != nil {
			return err
		}
		secs = append(secs, s)
	}
	fmt.Fprintf(&b, "\n`evaluate` with every measure on Adult's %d complete records, released by %s: "+
		"%.1f\nprocessor seconds.\n", len(adult)-1, m, middle(secs))
	return published(page, beginVerdict, b.String())
}

// middle returns the median.
func middle(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// cpu runs a command and returns its seconds of the processor. A release that is withheld, or that too few people
// were tried on, was judged.
func cpu(exe string, args ...string) (float64, error) {
	c := exec.Command(exe, args...)
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && (exit.ExitCode() == 3 || exit.ExitCode() == 4)) {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), nil
}

// without copies a table without some columns, which are in ascending order.
func without(from, to string, columns []int) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer out.Close()
	r, w := csv.NewReader(in), csv.NewWriter(out)
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			w.Flush()
			return errors.Join(w.Error(), out.Sync())
		}
		if err != nil {
			return err
		}
		for _, j := range slices.Backward(columns) {
			rec = slices.Delete(rec, j, j+1)
		}
		if err := w.Write(rec); err != nil {
			return err
		}
	}
}
