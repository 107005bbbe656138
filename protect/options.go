package protect

import "strconv"

// StepLabel is the label of the fork that step k of a composite draws from.
func StepLabel(k int) string { return "step " + strconv.Itoa(k) }

// Options say how a plan is executed; they never change the release.
type Options struct {
	Chunk   int // records per chunk; 0 means 65,536
	Workers int // 0 means GOMAXPROCS
	// Progress, when set, is called after every chunk of every step of the plan: done rises by one with each call, up to
	// total. Calls come from any worker, one at a time.
	Progress func(done, total int)
}
