package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/dither-data/dither/beam/job"
	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
)

// The flags of Beam are those of the command.
func TestRunnerIsAFlag(t *testing.T) {
	for _, verb := range []string{"protect", "inspect"} {
		c := root()
		var out bytes.Buffer
		c.SetOut(&out)
		c.SetArgs([]string{verb, "--runner", "flink", "--endpoint", "localhost:8099", "--help"})
		if err := c.Execute(); err != nil {
			t.Errorf("%s: %v", verb, err)
		}
	}
	t.Cleanup(func() { _ = flag.Set("runner", "") })
	if got := runner(); got != "flink" {
		t.Errorf("the runner is %s", got)
	}
}

// What else went wrong is told in the same line: what could not be removed is confidential.
func TestOneLineOfBoth(t *testing.T) {
	left := errors.New("remove s3://b/.out.working-1")
	if got := oneLine(store.Both(errors.New("AccessDenied"), left)); got != "AccessDenied; "+left.Error() {
		t.Error(got)
	}
	if got := oneLine(store.Both(context.Canceled, left)); got != "interrupted; nothing was written; "+left.Error() {
		t.Error(got)
	}
}

// A call that is interrupted once its release was judged keeps the report: an error would say that nothing was written.
func TestReportOfTheInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, s3 := storetest.S3(t)
	q := &call{report: s3 + "/report.html"}
	if err := q.keepReport(ctx, &job.Result{Report: []byte("the report")}); err != nil {
		t.Fatal(err)
	}
	if got, err := store.Read(t.Context(), q.report); err != nil || string(got) != "the report" {
		t.Errorf("%q, %v", got, err)
	}
}

// What a runner says of a job that failed comes down to the cause.
func TestOneLine(t *testing.T) {
	for said, want := range map[string]string{
		"job a-1 failed:\norg.apache.flink.JobException: no restart is left\n\tat a.b(C.java:1)\nCaused by: x.Y: later\n" +
			"Caused by: java.lang.RuntimeException: shard 3 is gone\n\tat d.e(F.java:2)\n": "job a-1 failed: " +
			"java.lang.RuntimeException: shard 3 is gone",
		"job a-1 failed:\nno slots\nat all": "job a-1 failed: no slots",
		"job a-1 failed:\n":                 "job a-1 failed: the runner gives no reason: its log may",
		"no seed\nat all":                   "no seed",
	} {
		if got := oneLine(errors.New(said)); got != want || strings.Contains(got, "\n") {
			t.Errorf("%q: %q", said, got)
		}
	}
}
