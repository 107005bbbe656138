package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/spf13/cobra"
	"google.golang.org/grpc"
)

// workers is the verb that waits for runners that start no processes themselves (--environment_type EXTERNAL), such as
// those whose machines are containers: each worker is this program again.
func workers() *cobra.Command {
	port := 50000
	c := &cobra.Command{
		Use:   "workers",
		Short: "start workers for a runner that asks for them at a port of this machine",
		Long: `workers waits at a port of localhost for a runner on the same machine, or in another container of the
same pod, and starts a worker for each job that asks. The runner does not identify itself, as
Beam's protocol has no way to do so: anyone who can connect to ports of localhost can have work done
with the seed of this process.`,
		Example: "  dither-beam workers\n" +
			"  dither-beam protect ... --environment_type EXTERNAL --environment_config localhost:50000",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			l, err := listen(port)
			if err != nil {
				return err
			}
			return newPool(c.Context(), self).serve(l)
		},
	}
	c.Flags().IntVar(&port, "port", port, "`port` of localhost to listen at")
	return c
}

// listen listens at a port of this machine that no other machine reaches. Beam's own pool (go/container/pool) listens
// at all interfaces.
func listen(port int) (net.Listener, error) { return net.Listen("tcp", fmt.Sprint("localhost:", port)) }

// pool starts and ends workers, processes of a program, for runners that ask (BeamFnExternalWorkerPool).
type pool struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	ctx     context.Context // when it ends, all workers do
	program string

	mu      sync.Mutex
	workers map[string]*exec.Cmd // by their names
	left    sync.WaitGroup       // processes that have not ended
}

func newPool(ctx context.Context, program string) *pool {
	return &pool{ctx: ctx, program: program, workers: map[string]*exec.Cmd{}}
}

// serve answers runners until the context of the pool ends, and all workers have.
func (p *pool) serve(l net.Listener) error {
	s := grpc.NewServer()
	fnpb.RegisterBeamFnExternalWorkerPoolServer(s, p)
	defer context.AfterFunc(p.ctx, s.Stop)()
	err := s.Serve(l)
	p.left.Wait()
	return err
}

// StartWorker starts a worker, which asks the runner for all but its name.
func (p *pool) StartWorker(_ context.Context, q *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := q.GetWorkerId()
	if p.workers[id] != nil {
		return &fnpb.StartWorkerResponse{Error: fmt.Sprintf("worker %q runs already", id)}, nil
	}
	c := exec.CommandContext(p.ctx, p.program, "--id="+id, "--provision_endpoint="+q.GetProvisionEndpoint().GetUrl())
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		return &fnpb.StartWorkerResponse{Error: fmt.Sprintf("worker %q cannot be started: %v", id, err)}, nil
	}
	p.workers[id] = c
	p.left.Go(func() {
		_ = c.Wait() // the runner notices that it is gone
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.workers[id] == c {
			delete(p.workers, id)
		}
	})
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker ends a worker. One that has ended by itself, or was never there, is none to complain about.
func (p *pool) StopWorker(_ context.Context, q *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.workers[q.GetWorkerId()]; c != nil {
		_ = c.Process.Kill() // fails where it has ended
		delete(p.workers, q.GetWorkerId())
	}
	return &fnpb.StopWorkerResponse{}, nil
}
