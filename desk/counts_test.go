package desk

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/testkit/must"
)

// noisyCount returns a count of a request, and fails where there is none.
func noisyCount(t *testing.T, q CountsRequest, values ...string) int64 {
	t.Helper()
	out := must.Get((&Desk{}).Counts(ctx, q))(t)
	for _, c := range out.Cells {
		if strings.Join(c.Values, "|") == strings.Join(values, "|") {
			return c.Count
		}
	}
	t.Fatalf("no cell %v among %v", values, out.Cells)
	return 0
}

// At an epsilon of 100 noise is 0 in all draws that matter, so counts can be told: what a record counts for follows
// from its own values, whatever those of others look like.
func TestCountsFollowFromTheRecord(t *testing.T) {
	f := newFolder(t)
	plain := "id,age,sex\n1,30,f\n1,31,f\n2,-99,m\n3,41,x\n4,,f\n5,100,f\n"
	for _, more := range []string{"", "6,abc,f\n", "6,1.5,f\n"} { // which would change how the column looks
		q := CountsRequest{Source: Source{Path: f.put(t, "a.csv", plain+more)}, Epsilon: "100", By: []string{"age", "sex"},
			Domains: []string{"age=0..100/50", "sex=f|m"}}
		for values, want := range map[string]int64{"[0, 50)|f": 2, "(other)|m": 1, "[0, 50)|(other)": 1, "(missing)|f": 1,
			"[50, 100]|f": 1} {
			if values == "[0, 50)|f" && strings.Contains(more, "1.5") {
				want++
			}
			if got := noisyCount(t, q, strings.Split(values, "|")...); got != want {
				t.Errorf("with %q: %d records in %s, expected %d", more, got, values, want)
			}
		}
	}
	q := CountsRequest{Source: Source{Path: f.put(t, "b.csv", plain)}, Epsilon: "100", By: []string{"sex"},
		Domains: []string{"sex=f|m"}, Person: "id"}
	if got := noisyCount(t, q, "f"); got != 3 {
		t.Errorf("of persons with one record each %d are f, expected 3", got)
	}
	if q.Records = 2; noisyCount(t, q, "f") != 4 {
		t.Errorf("with two records each %d are f, expected 4", noisyCount(t, q, "f"))
	}
	if q.Distinct = true; noisyCount(t, q, "f") != 3 {
		t.Errorf("%d persons are f, expected 3", noisyCount(t, q, "f"))
	}
}

// One seed gives the same counts of one table, and other noise to another table or question.
func TestCountsNoiseIsKeyed(t *testing.T) {
	f := newFolder(t)
	text := "sex\nf\nm\nf\n"
	q := CountsRequest{Source: Source{Path: f.put(t, "a.csv", text)}, Epsilon: "1/1000", SeedFile: f.path("seed")}
	once := noisyCount(t, q)
	if again := noisyCount(t, q); again != once {
		t.Errorf("by one seed %d and %d", once, again)
	}
	other := q
	other.Epsilon = "1/999"
	if noisyCount(t, other) == once {
		t.Error("another question has the same noise")
	}
	other = q
	other.Path = f.put(t, "b.csv", text+"f\n")
	if noisyCount(t, other) == once+1 {
		t.Error("another table has the same noise")
	}
}

// A charge stands in the ledger before anything is written, also where writing fails afterwards; and nothing of the
// data stands in it.
func TestCountsAreCharged(t *testing.T) {
	f := newFolder(t)
	l, err := (&Desk{}).Budget(BudgetRequest{Ledger: f.path("l"), Begin: true, Epsilon: "1"})
	if err != nil || l.Left != 1 {
		t.Fatal(l, err)
	}
	q := CountsRequest{Source: Source{Path: f.put(t, "a.csv", "town\nSecretville\n")}, Epsilon: "1/3",
		By: []string{"town"}, Domains: []string{"town=here|there"}, Spending: Spending{Ledger: f.path("l")}}
	noisyCount(t, q, "here")
	kept, err := budget.Open(f.path("l"))
	if err != nil || len(kept.Entries()) != 1 || kept.Entries()[0].Amount.String() != "1/3" ||
		strings.Contains(kept.Entries()[0].Data, "Secretville") {
		t.Errorf("%+v, %v", kept, err)
	}
	q.Output = f.path("l") // the ledger itself: refused before anything is charged
	if _, err := (&Desk{}).Counts(ctx, q); err == nil {
		t.Error("the output replaced the ledger")
	}
	if kept, err = budget.Open(f.path("l")); err != nil || len(kept.Entries()) != 1 {
		t.Errorf("%v", err)
	}
}
