package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// The port at which workers wait is of localhost: no other machine can have work done with the seed.
func TestListen(t *testing.T) {
	l, err := listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if at := l.Addr().(*net.TCPAddr); !at.IP.IsLoopback() {
		t.Errorf("workers wait at %s, which other machines reach", at)
	}
}

// number waits for a worker, and returns the number of its process.
func number(t *testing.T, dir, id string) string {
	t.Helper()
	for {
		text, err := os.ReadFile(filepath.Join(dir, id))
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		_ = os.Remove(filepath.Join(dir, id))
		f := strings.Fields(string(text))
		if len(f) != 3 || f[1] != "--id="+id || f[2] != "--provision_endpoint=localhost:1" {
			t.Fatalf("worker %s is started by %q", id, text)
		}
		return f[0]
	}
}

// A pool starts a worker for each name, ends it when it is told to, and leaves none when it ends itself.
func TestPool(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "worker")
	script := "#!/bin/sh\ncd " + dir + "\necho $$ $1 $2 >new.$$\nmv new.$$ ${1#--id=}\nexec sleep 600\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- newPool(ctx, program).serve(l) }()
	c, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	runner := fnexecution_v1.NewBeamFnExternalWorkerPoolClient(c)
	start := func(id string) string {
		t.Helper()
		r, err := runner.StartWorker(t.Context(), &fnexecution_v1.StartWorkerRequest{WorkerId: id,
			ProvisionEndpoint: &pipeline_v1.ApiServiceDescriptor{Url: "localhost:1"}})
		if err != nil {
			t.Fatal(err)
		}
		return r.GetError()
	}
	number := func(id string) string { return number(t, dir, id) }
	for _, id := range []string{"a", "b"} {
		if says := start(id); says != "" {
			t.Fatal(says)
		}
	}
	a, b := number("a"), number("b")
	if says := start("a"); !strings.Contains(says, `"a" runs already`) {
		t.Errorf("a second worker of one name: %q", says)
	}
	if r, err := runner.StopWorker(t.Context(), &fnexecution_v1.StopWorkerRequest{WorkerId: "a"}); err != nil ||
		r.GetError() != "" {
		t.Errorf("%v, %v", r, err)
	}
	if says := start("a"); says != "" {
		t.Errorf("a worker that was stopped does not start again: %s", says)
	}
	again := number("a")
	end()
	if err := <-ended; err != nil && !strings.Contains(err.Error(), "stopped") {
		t.Error(err)
	}
	for _, pid := range []string{a, b, again} {
		n, err := strconv.Atoi(pid)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := os.FindProcess(n); err == nil && p.Signal(syscall.Signal(0)) == nil {
			t.Errorf("worker %s was left behind", pid)
		}
	}
}
