package desk

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/policy"
)

// TestWithheldRunBlocksNothing: the report that a withheld run left is replaced by the same request without being told
// to; by another request, or once somebody has written into it, it is not, and neither is any other report.
func TestWithheldRunBlocksNothing(t *testing.T) {
	f := newFolder(t)
	in := f.people(t, 60)
	strict := f.put(t, "p.yaml", "version: 1\nclass: y\nthresholds:\n  - {measure: bias, max: 0}\n")
	request := func(change func(*ProtectRequest)) ProtectRequest {
		q := ProtectRequest{Source: Source{Path: in, Said: policy.Policy{Class: "y", Limits: "none"}},
			Release: f.path("out.csv"), Report: f.path("r.html"), PlanOut: f.path("out.plan"), SeedFile: f.fixedSeed(t)}
		if change != nil {
			change(&q)
		}
		return q
	}
	withhold := func() string {
		t.Helper()
		p, err := newListener().Protect(ctx, request(func(q *ProtectRequest) { q.Policy = strict }))
		if p == nil || p.Broken == nil {
			t.Fatalf("it is not withheld: %v", err)
		}
		return f.read(t, "r.html")
	}
	blocked := func(name string, q ProtectRequest) {
		t.Helper()
		if _, err := newListener().Protect(ctx, q); !errors.Is(err, ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
	}
	left := withhold()
	if !strings.HasSuffix(left, sealEnd) {
		t.Error("the report of a withheld release has no seal")
	}
	blocked("another release", request(func(q *ProtectRequest) { q.Release = f.path("other.csv") }))
	other := f.put(t, "copy.csv", f.read(t, "people.csv"))
	blocked("another original", request(func(q *ProtectRequest) { q.Path = other }))
	blocked("a plan in its place", request(func(q *ProtectRequest) { q.Report, q.PlanOut = "", f.path("r.html") }))
	f.put(t, "moved.html", left)
	blocked("a copy of it", request(func(q *ProtectRequest) { q.Report = f.path("moved.html") }))
	edits := []string{strings.Replace(left, "</h1>", " Mine.</h1>", 1), left + "Mine.", "x"}
	for _, edited := range edits[:long.Of(1, len(edits))] {
		f.put(t, "r.html", edited)
		blocked("one that was written into", request(nil))
	}
	f.put(t, "r.html", left)
	withhold() // twice in a row
	l := newListener()
	must.Get(l.Protect(ctx, request(nil)))(t)
	if page := f.read(t, "r.html"); strings.Contains(page, sealBegin) || !strings.Contains(l.heard(), "is replaced") {
		t.Error("the report was not replaced, or nobody was told")
	}
	must.NoError(t, os.Remove(f.path("out.csv")))
	must.NoError(t, os.Remove(f.path("out.plan")))
	blocked("the report of a release that was written", request(nil))
}
