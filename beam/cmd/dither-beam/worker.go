package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// asWorker are the arguments of a worker, if a runner has started this as one: either Beam's container did, which has
// fetched this program and names everything, or the runner itself did (--environment_type PROCESS), which names only
// where to ask. The second needs no program of Beam's on a worker's machine, and leaves neither copies of this one nor
// a process whose parent was ended.
func asWorker(ctx context.Context, args []string) ([]string, error) {
	if slices.Contains(args, "--worker=true") || slices.Contains(args, "--worker") {
		return args, nil
	}
	var id, ask string
	for _, a := range args {
		switch name, value, _ := strings.Cut(a, "="); name {
		case "--id":
			id = value
		case "--provision_endpoint":
			ask = value
		}
	}
	if id == "" || ask == "" {
		return nil, nil
	}
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, id), ask)
	if err != nil {
		return nil, err
	}
	if info.GetControlEndpoint().GetUrl() == "" || info.GetLoggingEndpoint().GetUrl() == "" {
		return nil, errors.New("the runner names no endpoint for a worker")
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return nil, err
	}
	if err := os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " ")); err != nil {
		return nil, err
	}
	return []string{"--worker", "--id=" + id, "--options=" + options,
		"--control_endpoint=" + info.GetControlEndpoint().GetUrl(),
		"--logging_endpoint=" + info.GetLoggingEndpoint().GetUrl()}, nil
}

// serve does a runner's work until the runner ends it.
func serve(args []string) error {
	if err := flag.CommandLine.Parse(args); err != nil {
		return err
	}
	beam.Init() // does not return
	return errors.New("this worker is none")
}

// ownProgram sends this program to workers that have none, unless another one was named.
func ownProgram() error {
	if *jobopts.WorkerBinary != "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	*jobopts.WorkerBinary = self
	return nil
}

// reached says at once that nobody answers where a job server should be; Beam tries for two minutes.
func reached(ctx context.Context) error {
	if *jobopts.Endpoint == "" {
		return nil
	}
	d := net.Dialer{Timeout: 20 * time.Second}
	c, err := d.DialContext(ctx, "tcp", *jobopts.Endpoint)
	if err != nil {
		return fmt.Errorf("no job server answers at --endpoint %s: %w", *jobopts.Endpoint, err)
	}
	return c.Close()
}
