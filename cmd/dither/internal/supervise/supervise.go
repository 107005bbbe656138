// Package supervise does the work of the command in a child of it, so that somebody is left to say what came of it when
// memory runs out.
//
// The watch over memory looks every now and then, and one large request may jump over its mark. Go then ends the
// process with a dump of its state and the status of a wrong call, or the system kills it. So the work is done in a
// child, and its parent, which needs next to nothing, says in one line what came of it. What Go writes of a crash goes
// to descriptor 2; the child's own complaints go to descriptor 3, the standard error of the parent.
//
// The parent begins and ends in the initialisation of this package. It needs only a few packages of the standard
// library, and Go initialises a package as soon as those that it imports are, in the order of import paths: so all the
// others, which take most of the time of a start, are initialised in the child alone.
//
// A child is not worth its start where the memory cannot run out: see light.
package supervise

import (
	"io"
	"os"
)

// Advice is what to do when memory runs out.
const Advice = "no release was written; take fewer records or columns, or a larger computer"

// Stderr is where the work complains: the standard error of the command.
var Stderr = os.Stderr

// watched says that this is the child: its parent waits, and says what the child cannot.
var watched bool

// said is what the child writes before a line for its parent to say, where Go writes of a crash.
const said = "dither says "

// Say says a line: what came of work that ran out of memory. Memory may run out once more while the child says so, and
// then Go ends it. So the parent says the line, and says it once.
func Say(w io.Writer, line string) {
	if watched {
		w, line = os.Stderr, said+line
	}
	_, _ = io.WriteString(w, line+"\n")
}
