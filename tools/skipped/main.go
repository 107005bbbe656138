// Command skipped runs go test and says, last, how many tests were skipped and why: go test itself is silent about them
// where a package passes.
//
//	go run -C tools ./skipped [packages and flags of go test; ./... if there are none]
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	args := os.Args[1:]
	if len(args) == 0 {
		args = []string{"./..."}
	}
	run := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	run.Dir, run.Stderr = "..", os.Stderr // the main module: go run -C tools runs this program in the folder tools
	out, err := run.StdoutPipe()
	if err == nil {
		err = run.Start()
	}
	if err == nil {
		err = tell(out, os.Stdout)
	}
	if failed := run.Wait(); err == nil {
		err = failed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// tell writes what go test would, and last the reasons for which tests were skipped, the commonest first.
func tell(in io.Reader, out io.Writer) error {
	type test struct{ pkg, name string }
	said, why := map[test][]string{}, map[string]int{}
	skipped := 0
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return fmt.Errorf("go test -json: %w", err)
		}
		at := test{e.Package, e.Test}
		switch e.Action {
		case "output", "build-output":
			if e.Test == "" {
				if e.Output != "PASS\n" {
					fmt.Fprint(out, e.Output)
				}
				continue
			}
			said[at] = append(said[at], e.Output)
		case "skip":
			if e.Test != "" {
				skipped++
				why[reason(said[at])]++
			}
			delete(said, at)
		case "fail":
			for _, s := range said[at] {
				fmt.Fprint(out, s)
			}
			delete(said, at)
		case "pass":
			delete(said, at)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d tests were skipped\n", skipped)
	for _, r := range slices.SortedFunc(maps.Keys(why),
		func(a, b string) int { return cmp.Or(why[b]-why[a], strings.Compare(a, b)) }) {
		fmt.Fprintf(out, "%6d %s\n", why[r], r)
	}
	return nil
}

// reason returns what a test said when it was skipped, without the place: one for all data sets that are missing.
func reason(said []string) string {
	for _, s := range slices.Backward(said) {
		s = strings.TrimSpace(s)
		if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "===") || s == "" {
			continue
		}
		if _, text, ok := strings.Cut(s, ": "); ok {
			s = text
		}
		if strings.HasPrefix(s, "data set ") {
			return "a data set is missing: set DITHER_DATA to the folder that holds it"
		}
		return s
	}
	return "no reason given"
}
