package supervise

import (
	"bytes"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

const (
	childMark = "DITHER_CHILD" // in the environment of the child
	complaint = 3              // the child's descriptor for what it has to say
	crashText = 1 << 20        // bytes of a crash that are kept
	failed    = 1              // the exit status of what did not end by itself
	signalled = 128            // and, as shells have it, a signal's number are the status of what nobody need hear about
)

func init() {
	switch {
	case os.Getenv(childMark) != "":
		os.Unsetenv(childMark)
		Stderr, watched = os.NewFile(complaint, os.Stderr.Name()), true
	case strings.HasSuffix(os.Args[0], ".test"): // a test of the command
	case light(os.Args[1:]):
	default:
		if status, ok := supervised(); ok {
			os.Exit(status)
		}
	}
}

// supervised does the work in a child and returns its exit status. It is false where none can be started: the work is
// done here then.
func supervised() (status int, ok bool) {
	runtime.LockOSThread() // the child ends with the thread that started it
	defer runtime.UnlockOSThread()
	r, w, err := os.Pipe()
	if err != nil {
		return 0, false
	}
	defer r.Close()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	child, err := os.StartProcess(
		"/proc/self/exe",
		os.Args,
		&os.ProcAttr{Env: append(os.Environ(), childMark+"=1"), Files: []*os.File{os.Stdin, os.Stdout, w, os.Stderr},
			Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}},
	)
	w.Close()
	if err != nil {
		signal.Stop(signals)
		return 0, false
	}
	go func() {
		for s := range signals {
			child.Signal(s)
		}
	}()
	crash, _ := io.ReadAll(io.LimitReader(r, crashText))
	io.Copy(io.Discard, r)
	state, err := child.Wait()
	if err != nil {
		io.WriteString(os.Stderr, "dither: "+err.Error()+"\n")
		return failed, true
	}
	return outcome(state.Sys().(syscall.WaitStatus), crash, os.Stderr), true
}

// outcome says what came of a child that did not end by itself, and returns the exit status.
func outcome(state syscall.WaitStatus, crash []byte, w io.Writer) int {
	_, line, told := bytes.Cut(crash, []byte(said))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	switch {
	case state == 0:
		return 0
	case told:
		w.Write(append(line, '\n'))
	case outOfMemory(crash):
		io.WriteString(w, "dither: out of memory; "+Advice+"\n")
	case lostPages(crash):
		io.WriteString(w, "dither: a file in "+os.TempDir()+", the folder for temporary files, cannot be read or "+
			"written any more, as where a disk is full or fails; no release was written; take another folder (TMPDIR)\n")
	case state.Signaled() && state.Signal() == syscall.SIGKILL:
		io.WriteString(w, "dither: killed, as the system does when memory runs out; "+Advice+"\n")
	case state.Signaled() && state.Signal() == syscall.SIGPIPE:
		// the reader of the text has seen enough; what files were written is not known here
		return signalled + int(syscall.SIGPIPE)
	case state.Signaled() && len(crash) == 0:
		io.WriteString(w, "dither: interrupted; no release was written\n")
	default:
		w.Write(crash)
		return max(state.ExitStatus(), failed)
	}
	return failed
}

// lostPages reports whether Go wrote of a crash that a page of a mapped file is not to be had. All that is mapped are
// the temporary files of package space.
func lostPages(crash []byte) bool { return bytes.Contains(crash, []byte("\n[signal SIGBUS")) }

// outOfMemory reports whether Go wrote of a crash that it gets no more memory, or no thread for want of it.
func outOfMemory(crash []byte) bool {
	for line := range bytes.Lines(crash) {
		for _, says := range []string{"out of memory", "cannot allocate memory", "errno=12", "pthread_create failed"} {
			if bytes.Contains(line, []byte(says)) {
				return true
			}
		}
		_, fatal, _ := bytes.Cut(line, []byte("fatal error: "))
		for _, of := range []string{"memory", "arena", "newosproc"} {
			if bytes.Contains(fatal, []byte(of)) {
				return true
			}
		}
	}
	return false
}
