package desk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// visits is a table of 400 people whose outcome follows from their age and ward, with chance.
func visits() string {
	r := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString("age,cost,ward,outcome\n")
	for i := range 400 {
		age, ward := 18+r.IntN(70), []string{"north", "south", "west"}[r.IntN(3)]
		if i < 2 {
			ward = "spa"
		}
		outcome := "well"
		if (age > 60 || ward == "west") != (r.Float64() < 0.1) {
			outcome = "ill"
		}
		fmt.Fprintf(&b, "%d,%.2f,%s,%s\n", age, 1000*r.Float64(), ward, outcome)
	}
	return b.String()
}

// A model goes out without what tells of few people, or not at all; what nothing judges goes out only where that is
// asked for.
func TestPublish(t *testing.T) {
	f := newFolder(t)
	in := Source{Path: f.put(t, "visits.csv", visits()), Said: policy.Policy{Class: "outcome"}}
	must.Get(newListener().Tree(ctx, TreeRequest{Source: in, Form: JSON, Output: f.path("own.json"),
		Set: map[string]string{"minLeaf": "2", "noPrune": "true"}}))(t)
	small := map[string]string{"minLeaf": "2", "noPrune": "true"}
	for name, c := range map[string]struct {
		q      PublishRequest
		state  study.State
		broken string
	}{
		"a tree":          {PublishRequest{Miner: "c45", Set: small}, study.Meets, ""},
		"with counts":     {PublishRequest{Miner: "c45", Set: small, Counts: true}, study.Withheld, "class counts"},
		"as it was saved": {PublishRequest{Saved: f.path("own.json")}, study.Withheld, "class counts"},
		"a forest":        {PublishRequest{Miner: "sysfor", Model: true, Form: JSON}, study.Meets, ""},
		"another model":   {PublishRequest{Miner: "cactus", Model: true}, study.Unjudged, "not judged"},
		"counts by class": {PublishRequest{Miner: "naivebayes", Model: true, Form: JSON}, study.Withheld, "coarsen: ward"},
		"large counts":    {PublishRequest{Miner: "naivebayes", Model: true, Form: JSON, People: 1}, study.Meets, ""},
		"ranks":           {PublishRequest{Miner: "bore", Model: true, Form: JSON}, study.Withheld, "coarsen: age, ward"},
		"records":         {PublishRequest{Miner: "knn", Model: true, Form: JSON}, study.Withheld, "holds the records"},
		"clusters": {PublishRequest{Miner: "kmeans", Model: true, Form: JSON, Set: map[string]string{"scale": "zscore"}},
			study.Meets, ""},
		"of few": {PublishRequest{Miner: "kmeans", Model: true, Form: JSON, Set: map[string]string{"scale": "zscore",
			"k": "300"}}, study.Withheld, "of fewer than 5 people"},
		"by their range":   {PublishRequest{Miner: "kmeans", Model: true, Form: JSON}, study.Withheld, "of cost"},
		"everybody is few": {PublishRequest{Miner: "c45", People: 100}, study.Meets, ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := c.q
			if q.Source = in; q.People == 0 {
				q.People = 5
			}
			q.Output = f.path(strings.ReplaceAll(name, " ", "-"))
			p, err := newListener().Publish(ctx, q)
			var b *Broken
			if p == nil || p.State != c.state || errors.As(err, &b) != (c.broken != "") {
				t.Fatalf("%+v: %v", p, err)
			}
			if b != nil && !strings.Contains(b.Error(), c.broken) {
				t.Errorf("%v", b)
			}
			written, err := os.ReadFile(q.Output)
			if (err == nil) != (c.broken == "") {
				t.Errorf("it is withheld (%v), and the file is there: %v", b, err == nil)
			}
			for _, tells := range []string{"spa", "counts\":", "(4", "999.", "\"of\": ["} {
				if q.Miner == "naivebayes" && (tells == "spa" || tells == "counts\":") {
					continue // two people of the spa are not few, and are told
				}
				if strings.Contains(string(written), tells) {
					t.Errorf("it tells %q", tells)
				}
			}
		})
	}
	in.Said.Limits = "none"
	q := PublishRequest{Source: in, Miner: "cactus", Model: true, People: 5, Output: f.path("asked")}
	if p, err := newListener().Publish(ctx, q); err != nil || p.State != study.Unjudged {
		t.Errorf("%v", err)
	}
	for what, q := range map[string]PublishRequest{
		"no file":    {Source: in, Miner: "c45", People: 5},
		"nobody few": {Source: in, Miner: "c45", Output: f.path("x")},
		"a picture":  {Source: in, Miner: "c45", People: 5, Form: SVG, Output: f.path("x")},
		"no table":   {Saved: f.path("own.json"), People: 5, Output: f.path("x")},
		"two trees":  {Source: in, Saved: f.path("own.json"), Miner: "c45", People: 5, Output: f.path("x")},
		"no tree":    {Source: in, Miner: "naivebayes", People: 5, Output: f.path("x")},
	} {
		var u *Usage
		if _, err := newListener().Publish(ctx, q); !errors.As(err, &u) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
