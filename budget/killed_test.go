package budget

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestMain is the test, or a process of one: it charges the ledger that the environment names, as often as it can, and
// prints a line after each charge, where noise would be drawn.
func TestMain(m *testing.M) {
	path := os.Getenv("BUDGET_TO_CHARGE")
	if path == "" {
		os.Exit(m.Run())
	}
	l, err := Open(path)
	for err == nil {
		a, _ := Parse(os.Getenv("BUDGET_AMOUNT"))
		if err = l.Charge(&Entry{Amount: a, Kind: Pure, Unit: row, Neighbours: AddOrRemove}); err == nil {
			fmt.Println("drawn")
		}
	}
	var beyond *Beyond
	if !errors.As(err, &beyond) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// charging starts a process that charges a ledger, and counts the lines that it prints.
func charging(t *testing.T, path, amount string) (process *exec.Cmd, drawn chan int) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "BUDGET_TO_CHARGE="+path, "BUDGET_AMOUNT="+amount)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	must.NoError(t, err)
	drawn = make(chan int, 1)
	go func() {
		n := 0
		for s := bufio.NewScanner(out); s.Scan(); n++ {
		}
		drawn <- n
	}()
	return c, drawn
}

// A process that is killed has charged all that it drew noise for.
func TestKilled(t *testing.T) {
	for k := range 5 {
		l := created(t, "1", "0")
		c, drawn := charging(t, l.path, "1e-9")
		time.Sleep(time.Duration(20+10*k) * time.Millisecond)
		_ = c.Process.Kill()
		n := <-drawn
		_ = c.Wait()
		l = must.Get(Open(l.path))(t)
		if charged := len(l.Entries()); charged < n || charged > n+1 {
			t.Errorf("noise was drawn %d times and charged %d times", n, charged)
		}
		if err := l.Charge(entry(t, Pure, "0.5")); err != nil {
			t.Error(err)
		}
	}
}

// Two processes at once spend the budget and no more.
func TestTwoAtOnce(t *testing.T) {
	l := created(t, "1", "0")
	first, drawn1 := charging(t, l.path, "1/40")
	second, drawn2 := charging(t, l.path, "1/40")
	if n := <-drawn1 + <-drawn2; n != 40 {
		t.Errorf("40 charges of 1/40 were made %d times", n)
	}
	if err := errors.Join(first.Wait(), second.Wait()); err != nil {
		t.Error(err)
	}
	l, err := Open(l.path)
	if err != nil || len(l.Entries()) != 40 || l.Left().Sign() != 0 {
		t.Errorf("%d entries, %v left, %v", len(l.Entries()), l.Left(), err)
	}
}
