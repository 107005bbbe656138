package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/workbench"
)

type workbenchFlags struct {
	folder string
	port   int
	idle   time.Duration
	key    string
}

func (a *app) workbench() *cobra.Command {
	f := &workbenchFlags{}
	c := &cobra.Command{
		Use:   "workbench IN",
		Short: "edit the policy of a table in your browser, and see who can be identified",
		Long: `workbench serves a page to this computer alone and prints a link, which opens it once. The page
shows the columns of IN, the most identifying first, and a policy file that every control edits:
the file that protect --policy reads. Everything is written to one folder, and running the command
again with the same folder continues where it stopped. It ends with Ctrl-C, or when the page is no
longer used.`,
		Example: "  dither workbench patients.csv\n  dither workbench patients.csv --folder release-2026 --idle 8h",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return a.runWorkbench(c.Context(), args[0], f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.folder, "folder", "", "write the policy and all output to this `folder`, which is created (default: "+
		"TABLE-workbench in the current folder)")
	fl.IntVar(&f.port, "port", 0, "listen on this port (default: a free one)")
	fl.DurationVar(&f.idle, "idle", time.Hour, "end after this time without a request; 0 for never")
	fl.StringVar(&f.key, "sign-key", "", "sign the records of releases with this SSH key (Ed25519), a `file` such as "+
		"~/.ssh/id_ed25519; the page asks for its passphrase")
	return c
}

func (a *app) runWorkbench(ctx context.Context, in string, f *workbenchFlags) error {
	switch {
	case in == "-":
		return wrong("workbench: the table must be a file: it is read again and again")
	case f.port < 0 || f.port > 65535:
		return wrong("--port %d: expected a port from 0 to 65535", f.port)
	case f.idle < 0:
		return wrong("--idle %v: expected a time such as 30m, or 0 for never", f.idle)
	}
	folder := f.folder
	if folder == "" {
		folder = strings.TrimSuffix(filepath.Base(in), filepath.Ext(in)) + "-workbench"
	}
	s, err := workbench.Open(
		workbench.Options{Table: in, Folder: folder, Port: f.port, Idle: f.idle, Version: buildVersion(), SignKey: f.key,
			Child: child},
	)
	if err != nil {
		return err
	}
	say(a.out, "Open this link in a browser on this computer. It opens the page once, and the page shows what is "+
		"confidential:\n\n  %s\n\nThe policy and what is made are in %s. Ctrl-C ends it.", s.Link(), folder)
	switch err := s.Serve(ctx); {
	case errors.Is(err, workbench.ErrIdle):
		say(a.out, "Ended: nobody used the page for %v. The same call goes on where it stopped.", f.idle)
	case ctx.Err() != nil:
		say(a.out, "Ended. The same call goes on where it stopped.")
	case err != nil:
		return err
	}
	return nil
}

// child is this program, about to do one piece of work for a page.
func child(ctx context.Context) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		exe = os.Args[0]
	}
	c := exec.CommandContext(ctx, exe)
	c.Args = []string{"dither", jobVerb} // the job itself is not said in a list of processes
	return c
}

// jobVerb is the call of a child: none of the verbs that people are told of.
const jobVerb = "workbench-job"
