// Command dither perturbs a table about people so that it is hard to pick anybody out of the release and the decision
// rules that can be mined from it survive, and measures both.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dither-data/dither/budget"
	_ "github.com/dither-data/dither/catalog/all" // what there is
	"github.com/dither-data/dither/cmd/dither/internal/supervise"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/workbench"
)

func main() { os.Exit(program(supervise.Stderr)) }

// program is one call, of the arguments that the process has. What it complains of goes to errOut.
func program(errOut *os.File) int {
	collectLate(memory)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	ctx, rest := withinMemory(ctx, memory)
	defer stop()
	defer rest()
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, os.Args[1:], os.Stdin, os.Stdout, errOut) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(grace):
		return abandon(context.Cause(ctx), errOut)
	}
}

// grace is how long a run that is interrupted may take to end by itself. It does not where it waits for its input, for
// a reader of its output, or in a long computation.
const grace = 500 * time.Millisecond

// abandon cleans up after a run that does not end, and says so: not even that may wait for a reader.
func abandon(cause error, errOut *os.File) int {
	wholefile.Abandon()
	told := make(chan struct{})
	go func() {
		defer close(told)
		if errors.Is(cause, errMemory) {
			supervise.Say(errOut, "dither: "+cause.Error())
			return
		}
		io.WriteString(errOut, lastWords())
	}()
	select {
	case <-told:
	case <-time.After(grace / 5):
	}
	return exitFailed
}

// underway says what the error of the request is if it is interrupted, where a checkpoint keeps what it has finished.
var underway atomic.Pointer[func() error]

// keeping is desk.Desk.Keeps.
func keeping(interrupted func() error) (over func()) {
	underway.Store(&interrupted)
	return func() { underway.Store(nil) }
}

// lastWords are those of a run that is interrupted and does not end by itself.
func lastWords() string {
	if says := underway.Load(); says != nil {
		return "dither: " + report.Printable((*says)().Error()) + "\n"
	}
	return interrupted
}

// The exit codes, stable because scripts depend on them.
const (
	exitDone      = 0
	exitFailed    = 1
	exitUsage     = 2
	exitThreshold = 3 // a limit is broken, a budget is spent, or a record does not hold
	exitUnproven  = 4 // nothing is broken, and too few people were tried to show that all limits are kept
)

// usageError is a wrong call that the desk never sees.
type usageError struct{ error }

// checkedWriter is where all text and documents for standard output go. What could steer a terminal does not come
// through, and no line of a text looks like one that the program itself says (say), wherever it comes from. The first
// error of writing is remembered, so that lost output is not taken for success.
type checkedWriter struct {
	w      io.Writer
	err    error
	begun  bool // something was written
	within bool // what was written last has not ended its line
}

// Write writes a text until something fails.
func (c *checkedWriter) Write(p []byte) (int, error) {
	return len(p), c.put(c.unlike(report.PrintableLines(string(p))))
}

// ownWords begin the lines that the program says of its own: the verdict, a complaint, a note.
var ownWords = []string{"verdict:", "dither:", "note:", "next:"}

// unlike marks the lines of a text that begin as those of the program do, since a name or a value may have made them:
// one that is long is wrapped, and stands at the beginning of lines. A state is said in the first line alone.
func (c *checkedWriter) unlike(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for k, line := range lines {
		bare := strings.TrimLeft(line, " ")
		words := ownWords
		if k > 0 || c.begun {
			words = append(slices.Clip(words), stateWords()...)
		}
		if !(k == 0 && c.within) && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(bare, w) }) {
			lines[k] = line[:len(line)-len(bare)] + "| " + bare
		}
	}
	return strings.Join(lines, "")
}

// stateWords are those of verdicts.
var stateWords = sync.OnceValue(func() (out []string) {
	for _, s := range []study.State{study.Withheld, study.WithCare, study.Meets, study.Unjudged} {
		out = append(out, s.Word().String()+":")
	}
	return out
})

// unmarked writes documents, whose lines are theirs.
type unmarked struct{ *checkedWriter }

// Write writes until something fails.
func (u unmarked) Write(p []byte) (int, error) {
	return len(p), u.put(report.PrintableLines(string(p)))
}

// document is where a document goes that is not JSON.
func (a *app) document() io.Writer {
	if c, ok := a.out.(*checkedWriter); ok {
		return unmarked{c}
	}
	return a.out
}

func (c *checkedWriter) put(s string) error {
	if s != "" {
		c.begun, c.within = true, !strings.HasSuffix(s, "\n")
	}
	if c.err == nil {
		_, c.err = io.WriteString(c.w, s)
	}
	return c.err
}

// run is the whole program: it never exits.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	checked := &checkedWriter{w: out}
	a := &app{in: in, out: checked, err: errOut, raw: out}
	if terminal(out) {
		a.raw = checked
	}
	if len(args) == 1 && args[0] == jobVerb {
		if err := workbench.Job(ctx, in, out); err != nil {
			return exitFailed
		}
		return exitDone
	}
	args = currentVerb(streams(args))
	root := a.root(args)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(tabbed{checked})
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	a.release()
	if err == nil {
		err = checked.err
	}
	if err == nil {
		return exitDone
	}
	if cause := context.Cause(ctx); errors.Is(cause, errMemory) {
		supervise.Say(errOut, "dither: "+cause.Error())
		return exitFailed
	}
	a.complain(err)
	return exitCode(err)
}

// streams names standard input and output as everything else does where the system's own names are given.
func streams(args []string) []string {
	out := slices.Clone(args)
	for k, arg := range out {
		for _, path := range []string{"/dev/stdin", "/dev/stdout"} {
			if flag, named := strings.CutSuffix(arg, path); named && (flag == "" || strings.HasSuffix(flag, "=")) {
				out[k] = flag + "-"
			}
		}
	}
	return out
}

func exitCode(err error) int {
	var call usageError
	var request *desk.Usage
	var broken *desk.Broken
	var other *desk.Mismatch
	var alike *desk.TooAlike
	var beyond *budget.Beyond
	switch {
	case errors.As(err, &call), errors.As(err, &request):
		return exitUsage
	case errors.As(err, &broken) && broken.Unproven:
		return exitUnproven
	case errors.As(err, &broken), errors.As(err, &other), errors.As(err, &alike), errors.As(err, &beyond):
		return exitThreshold
	}
	return exitFailed
}
