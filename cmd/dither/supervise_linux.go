package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"syscall"
)

// The watch over memory looks every now and then, and one large request may jump over its mark. Go then ends the process with a dump of its state and the
// status of a wrong call, or the system kills it. So the work is done in a child, and its parent, which needs next to nothing, says in one line what came of
// it. What Go writes of a crash goes to descriptor 2; the child's own complaints go to descriptor 3, the standard error of the parent.

const (
	childMark = "DITHER_CHILD" // in the environment of the child
	complaint = 3              // the child's descriptor for what it has to say
	crashText = 1 << 20        // bytes of a crash that are kept
)

// outOfMemory is what Go says when it gets no more memory, or no thread for want of it.
var outOfMemory = regexp.MustCompile(`out of memory|cannot allocate memory|errno=12|pthread_create failed|fatal error: .*(memory|arena|newosproc)`)

// supervised does the work in a child and returns its exit status; in the child itself, and where none can be started, here.
func supervised(work func(errOut *os.File) int) int {
	if os.Getenv(childMark) != "" {
		os.Unsetenv(childMark)
		return work(os.NewFile(complaint, os.Stderr.Name()))
	}
	runtime.LockOSThread() // the child ends with the thread that started it
	defer runtime.UnlockOSThread()
	r, w, err := os.Pipe()
	if err != nil {
		return work(os.Stderr)
	}
	defer r.Close()
	child := &exec.Cmd{Path: "/proc/self/exe", Args: os.Args, Env: append(os.Environ(), childMark+"=1"), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: w,
		ExtraFiles: []*os.File{os.Stderr}, SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	err = child.Start()
	w.Close()
	if err != nil {
		return work(os.Stderr)
	}
	go func() {
		for s := range signals {
			child.Process.Signal(s)
		}
	}()
	var crash bytes.Buffer
	io.CopyN(&crash, r, crashText)
	io.Copy(io.Discard, r)
	return outcome(child.Wait(), crash.Bytes(), os.Stderr)
}

// outcome says what came of a child that did not end by itself, and returns the exit status.
func outcome(err error, crash []byte, w io.Writer) int {
	var exit *exec.ExitError
	if err == nil {
		return exitDone
	}
	if !errors.As(err, &exit) {
		fmt.Fprintln(w, "dither:", err)
		return exitFailed
	}
	state := exit.Sys().(syscall.WaitStatus)
	switch {
	case outOfMemory.Match(crash):
		fmt.Fprintf(w, "dither: %v; %s\n", errMemory, memoryAdvice)
	case state.Signal() == syscall.SIGKILL:
		fmt.Fprintf(w, "dither: killed, as the system does when memory runs out; %s\n", memoryAdvice)
	case state.Signaled() && len(crash) == 0:
		fmt.Fprintln(w, "dither: interrupted; no release was written")
	default:
		w.Write(crash)
		return max(state.ExitStatus(), exitFailed)
	}
	return exitFailed
}
