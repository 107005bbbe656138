package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// shopping writes so many transactions of numbers, some empty and some with an item twice.
func (f folder) shopping(t *testing.T, rows int) string {
	t.Helper()
	var b strings.Builder
	r := rand.New(rand.NewPCG(4, 5))
	for range rows {
		for range r.IntN(9) {
			fmt.Fprintf(&b, "%d ", 3*int(r.ExpFloat64()*30))
		}
		b.WriteByte('\n')
	}
	return f.put(t, "shopping.dat", b.String())
}

// What is mined of a table that is larger than the memory is what is mined in memory, byte by byte and in the same
// order, whatever the memory.
func TestMinedLargerThanTheMemory(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	rows, memories := long.Of(1_500, 70_000), long.Of([]int64{1 << 14}, []int64{1 << 18, 4 << 20})
	people, shopping := f.census(t, rows), f.shopping(t, rows)
	source := func(path string, memory int64) Source {
		s := Source{Path: path, Memory: memory}
		if path == people {
			s.Said.Class, s.Said.Columns = "class", map[string]policy.Column{"id": {Role: policy.Roles{"identifier"}}}
		}
		return s
	}
	itemsets := func(path, output string, set map[string]string) func(int64) error {
		return func(memory int64) error {
			var w bytes.Buffer
			q := ItemsetsRequest{Source: source(path, memory), Miner: "lcm", Set: set, Output: output, Overwrite: true}
			if err := newListener().Itemsets(ctx, &w, q); err != nil || output != "" {
				return err
			}
			f.put(t, "out", w.String())
			return nil
		}
	}
	rules := func(path, output string, set map[string]string) func(int64) error {
		return func(memory int64) error {
			return newListener().Rules(
				ctx,
				&bytes.Buffer{},
				RulesRequest{
					Source:     source(path, memory),
					Miner:      "lcm",
					Set:        set,
					Confidence: 0.6,
					Output:     output,
					Overwrite:  true,
				},
			)
		}
	}
	tree := func(set map[string]string) func(int64) error {
		return func(memory int64) error {
			_, err := newListener().Tree(ctx,
				TreeRequest{Source: source(people, memory), Set: set, Form: JSON, Output: f.path("out"), Overwrite: true})
			return err
		}
	}
	bayes := func(memory int64) error {
		_, err := newListener().Mine(
			ctx,
			MineRequest{
				Source:    source(people, memory),
				Miner:     "naivebayes",
				Set:       map[string]string{"numeric": "bins"},
				Output:    f.path("out"),
				JSON:      true,
				Overwrite: true,
			},
		)
		return err
	}
	clusters := func(memory int64) error {
		_, err := newListener().Mine(
			ctx,
			MineRequest{
				Source:    source(people, memory),
				Miner:     "kmeans",
				Clusters:  true,
				Labels:    f.path("labels"),
				SeedFile:  f.fixedSeed(t),
				Overwrite: true,
			},
		)
		return err
	}
	for name, c := range map[string]struct {
		output string
		ask    func(memory int64) error
	}{
		"itemsets of people": {"out.csv", itemsets(people, f.path("out.csv"), map[string]string{"support": "0.02"})},
		"closed, as JSON": {"out.json",
			itemsets(people, f.path("out.json"), map[string]string{"support": "0.05", "kind": "closed", "intervals": "9"})},
		"by the cuts of a tree": {"out.csv",
			itemsets(people, f.path("out.csv"), map[string]string{"support": "0.05", "cuts": ByTree})},
		"the commonest, as a text": {"out", itemsets(shopping, "", map[string]string{"support": "0.001"})},
		"itemsets of transactions": {"out.csv",
			itemsets(shopping, f.path("out.csv"), map[string]string{"support": "0.0005"})},
		"maximal of transactions": {"out.csv",
			itemsets(shopping, f.path("out.csv"), map[string]string{"support": "30", "kind": "maximal"})},
		"rules of people":       {"out.csv", rules(people, f.path("out.csv"), map[string]string{"support": "0.05"})},
		"rules of transactions": {"out.json", rules(shopping, f.path("out.json"), map[string]string{"support": "0.001"})},
		"a tree":                {"out", tree(map[string]string{"minLeaf": "20"})},
		"a tree by See5's rules": {"out", tree(map[string]string{"minLeaf": "0", "minGainRule": "c50",
			"globalPrune": "true"})},
		"naive Bayes": {"out", bayes},
		"clusters":    {"labels", clusters},
	} {
		if err := c.ask(0); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := f.read(t, c.output)
		for _, memory := range memories {
			if err := c.ask(memory); err != nil {
				t.Errorf("%s in %d bytes of memory: %v", name, memory, err)
			} else if got := f.read(t, c.output); got != want || strings.Count(want, "\n") < 5 {
				t.Errorf("%s in %d bytes of memory: %d bytes, or other ones than the %d in memory", name, memory, len(got),
					len(want))
			}
		}
	}
	m := must.Get(newListener().Mine(ctx,
		MineRequest{Source: source(shopping, memories[0]), Miner: "lcm", Set: map[string]string{"support": "0.01"}}))(t)
	if here, err := newListener().Mine(ctx,
		MineRequest{Source: source(shopping, 0), Miner: "lcm", Set: map[string]string{"support": "0.01"}}); err != nil ||
		here.Text != m.Text {
		t.Errorf("any miner of itemsets: %q, %v", m.Text, err)
	}
}

// What needs all records at hand is refused with what to do instead.
func TestTooLargeToMine(t *testing.T) {
	onLinux(t)
	f := newFolder(t)
	people, shopping := Source{
		Path:   f.census(t, long.Of(2_000, 20_000)),
		Memory: 1,
		Said:   policy.Policy{Class: "class"},
	}, Source{Path: f.shopping(t, long.Of(2_000, 20_000)), Memory: 1}
	law := f.put(t, "law.json", "{}")
	patterns := func(s Source, miner string, set map[string]string) error {
		return (&Desk{}).Itemsets(ctx, &bytes.Buffer{}, ItemsetsRequest{Source: s, Miner: miner, Set: set})
	}
	for want, err := range map[string]error{
		"eclat: shopping.dat is larger than the memory that it is given, and the miner needs all records at hand: give " +
			"more memory, mine a part of the records, or take a miner that does not (lcm)": patterns(shopping, "eclat", nil),
		"to estimate by the noise model": (&Desk{}).Itemsets(ctx, &bytes.Buffer{},
			ItemsetsRequest{Source: shopping, Miner: "lcm", Law: law}),
		"apriori: ":         (&Desk{}).Rules(ctx, &bytes.Buffer{}, RulesRequest{Source: people, Miner: "apriori"}),
		"than to mine them": func() error { _, err := (&Desk{}).Inspect(ctx, shopping); return err }(),
		"of which nothing is known (?) take memory": patterns(Source{Path: f.put(t, "asked.dat", "1 ?2\n?\n"), Memory: 1},
			"lcm", nil),
		"(c45, kmeans, naivebayes)": func() error {
			_, err := (&Desk{}).Mine(ctx, MineRequest{Source: people, Miner: "rock"})
			return err
		}(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("expected %q: %v", want, err)
		}
	}
	for _, m := range catalog.Miners() {
		if _, err := json.Marshal(m.Card); err != nil || m.Shards != "" && len(m.Shards) < 20 {
			t.Errorf("%s says too little of tables larger than the memory", m.Name)
		}
	}
}
