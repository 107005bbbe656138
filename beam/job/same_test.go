package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/within"
)

// applied are the techniques of the catalogue whose plans are applied to shards; the others need all records to meet,
// or are not for tables such as the invented one.
var applied = []string{
	"agrawalsrikant", "alpt", "bottomcode", "capt", "correlatednoise", "epsilongaussian",
	"forestframework", "framework", "frapp", "gadp", "generalise", "globalrecode", "hdp", "hintoglu", "kim",
	"linfapt", "linnapt", "mrr", "multiplicativenoise", "perturbationtree", "ppt", "pram", "randomcategorical",
	"randomextframework", "randomframework", "rnat", "round", "rpt", "sadp", "sdp", "segmentsynthesis", "subattributes",
	"tdp", "tendickmatloff", "topcode", "traub", "vicus", "warner", "zhuliu",
}

// The release is that of one machine, byte by byte, whatever the shards and their order of processing, for every
// technique that is not refused by name; and so are the counts of what became of it. Each is tried in 1 and 7 shards,
// and in 2 or 20; with DITHER_LONG in all of them.
func TestSameAsOneMachine(t *testing.T) {
	lines := invented(1000)
	type setting struct {
		method string
		set    map[string]string
	}
	also := []setting{
		{
			"framework",
			map[string]string{"except": "class"},
		}, {"framework", map[string]string{"classTechnique": "ppt"}},
		{"extframework", map[string]string{"technique": "egadp", "minLeaf": "20", "exact": "true"}},
		{"extframework", map[string]string{"exact": "true"}},
		{"agrawalsrikant+pram", nil}, {"rankswap" + within.Suffix,
			map[string]string{within.Prefix + "by": within.Tree, "exact": "true"}},
	}
	cases := slices.Clone(also)
	for _, m := range catalog.Methods() {
		cases = append(cases, setting{m.Name, nil})
	}
	done := make([]bool, len(cases))
	t.Run("each", func(t *testing.T) {
		for k, c := range cases {
			t.Run(fmt.Sprint(c.method, c.set), func(t *testing.T) {
				t.Parallel()
				numbers := []int{1, 7, []int{2, 20}[k%2]}
				if os.Getenv("DITHER_LONG") != "" {
					numbers = []int{1, 2, 7, 20}
				}
				done[k] = compared(t, lines, c.method, c.set, numbers)
			})
		}
	})
	var names []string
	for k, c := range cases {
		switch {
		case k >= len(also) && done[k]:
			names = append(names, c.method)
		case k < len(also) && !done[k]:
			t.Errorf("%s %v is not applied to shards", c.method, c.set)
		}
	}
	if slices.Sort(names); !slices.Equal(names, applied) {
		t.Errorf("applied to shards are\n%q\nexpected\n%q", names, applied)
	}
}

// compared compares the releases of one machine and of so many shards; it reports whether there are any.
func compared(t *testing.T, lines []string, method string, set map[string]string, numbers []int) bool {
	dir := t.TempDir()
	want, plan, seedFile, err := protected(t, dir, lines, method, set)
	if err != nil {
		t.Logf("not for this table: %v", err)
		return false
	}
	_, p, err := decode(plan, []byte(load(t, plan)))
	if err != nil {
		t.Fatal(err)
	}
	s, segmented := p.(protect.Segmented)
	segmented = segmented && s.Segmentation() != nil
	var first *Result
	for _, shards := range numbers {
		in := filepath.Join(dir, fmt.Sprint(shards))
		if err := os.Mkdir(in, 0o700); err != nil {
			t.Fatal(err)
		}
		q := &Job{Shards: cut(t, in, lines, shards), Plan: plan, SeedFile: seedFile, Said: unlimited}
		if err := q.Check(); err != nil {
			if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), method) {
				t.Error(err)
			}
			t.Logf("refused: %v", err)
			return false
		}
		output := filepath.Join(dir, fmt.Sprint("out", shards))
		r, err := run(t.Context(), q, output, "", rand.New(rand.NewPCG(uint64(shards), 3)))
		if err != nil {
			t.Fatalf("%d shards: %v", shards, err)
		}
		if got := joined(t, output); got != want {
			t.Fatalf("%d shards: the release differs from that of one machine:\n%s", shards, differs(want, got))
		}
		if got := r.Certificate != nil; got != segmented {
			t.Errorf("there is a certificate: %v, expected %v", got, segmented)
		}
		if first == nil {
			first = r
		}
		if r.Shards, r.Judged = first.Shards, first.Judged; !same(r, first) {
			t.Errorf("%d shards: the counts differ", shards)
		}
	}
	return true
}

// differs shows the first lines that differ.
func differs(want, got string) string {
	a, b := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %q, expected %q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("%d lines, expected %d", len(b), len(a))
}

// same reports whether two results have the same JSON.
func same(a, b *Result) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
