// Command joint writes the page docs/jointcosts.md: what protocols between parties cost, in bytes, rounds and time of
// the processor, measured with real processes that talk over the loopback interface:
//
//	go run -C tools ./experiments/joint -write ../docs
//
// It builds the command, makes keys and plans in a folder of its own, and starts one process for each party.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/dither-data/dither/tools/internal/rerun"
)

func main() {
	rerun.Program{
		Name:    "jointcosts",
		Times:   "runs",
		Default: 1,
		Help:    "how often each task is run; the page has the fastest",
		Print:   write,
	}.Main()
}

func write(ctx context.Context, p *rerun.Page, times int) error {
	dir, err := os.MkdirTemp("", "joint")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := newWorkshop(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprint(p, lead)
	fmt.Fprint(p, "\n| task | protocol | parties | size | seconds | processor, s | MB sent | plain, MB |",
		" messages | rounds |\n",
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var notes []string
	for _, q := range tasks {
		for _, size := range q.sizes {
			made, err := q.make(w, size)
			if err != nil {
				return fmt.Errorf("%s: %w", q.name, err)
			}
			best, err := w.fastest(ctx, made, times)
			if err != nil {
				return fmt.Errorf("%s of %d: %w", q.name, size, err)
			}
			fmt.Fprintf(p, "| %s | `%s` | %d | %d | %.1f | %.1f | %.2f | %.2f | %d | %d |\n", q.name, made.protocol,
				len(made.files), size, best.wall, best.cpu, float64(best.bytes)/1e6, float64(made.plain)/1e6, best.messages,
				best.rounds)
			if best.note != "" && size == q.sizes[len(q.sizes)-1] {
				notes = append(notes, fmt.Sprintf("- %s: %s.", q.name, best.note))
			}
		}
	}
	fmt.Fprintf(p, "\nWhat came out, of the largest size of each task:\n\n%s\n", strings.Join(notes, "\n"))
	fmt.Fprint(p, tail)
	return nil
}

const lead = `# What protocols between parties cost

Each line is a run of real processes, one for each party, that talk over the loopback interface with
TLS 1.3. Seconds are of the slowest process, from its start to its end; processor and bytes are of all
parties together. *Plain* is how many bytes the parties would send if each gave its table, as the file
it is, to all others: the cost of sharing without secrecy. Rounds are the longest chain of messages.

Rerun it with ` + "`go run -C tools ./experiments/joint -write ../docs`" + `.
`

const tail = `
Of the 23 s of the processor that ID3 of Adult takes at depth 3, its 16,752 secure logarithms take
18 s: 1.10 ms each, of both parties (` + "`" + `go test ./joint/pair -bench Logarithms` + "`" + `).

Beside a peer: the size of the intersection of 100,000 and 100,000 keys takes openmined-psi 2.0.6
(PyPI, C++, data structure RAW) 31.4 s of the processor and 10.5 MB on the same machine, in one
process without a network, and ` + "`" + `intersectionsize` + "`" + ` in one process 33.5 s: a ratio of 1.07. That was
measured once, by hand.

Of 1,000,000 numbers of three parties, ` + "`" + `maskedsum` + "`" + ` takes 0.10 s of the processor in one process
(` + "`" + `go test ./joint/sums -bench Sums/masks/1000000` + "`" + `), with its frames and their hashes. The parts of
SecAgg+ of flwr 1.42.0 (PyPI: keys, shares, masks and sums in numpy), called one after another
without its server and messages, take 0.08 s: a ratio of 1.3. Its masks come of a 32-bit seed,
ours of AES. That was measured once, by hand.

What a line means for another network: each round waits once for the network, and bytes go at its
speed. A line of 100 rounds takes five more seconds between two cities that are 50 ms apart.
`
