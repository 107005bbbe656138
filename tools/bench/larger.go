package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// beginLarger marks where a page has what is printed of a technique on tables larger than the memory.
const beginLarger = "<!-- larger, %s: generated -->"

// Bytes of the disk that a record takes, about: in the table, in the release, and in the files of columns meanwhile. A
// table that does not fit is not begun.
const bytesOfRecord, bytesMeanwhile = 110, 340

// larger protects tables of several sizes within a memory, one after the other, and keeps none of them.
type larger struct {
	exe, dir, memory, method string
	limit                    float64 // in MB
	adult                    [][]string
}

// outcome is what one of them took.
type outcome struct {
	records                     int
	fileMB, peakMB              float64
	meanwhileMB, diskMB         float64
	seconds, processor          float64
	perRecord, processorOfEvery float64 // in microseconds
}

// benchLarger prints what a technique takes on tables of so many records within a memory, or puts it into a page. It
// fails where a run takes more memory than it was given, or a record of a larger table three times as long as one of
// the smallest.
func benchLarger(ctx context.Context, sizes, memory, method, page string) error {
	counts, err := sizesOf(sizes)
	if err != nil {
		return err
	}
	limit, err := gib(memory)
	if err != nil {
		return err
	}
	dir, exe, err := built()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l := larger{exe: exe, dir: dir, memory: memory, method: method, limit: limit}
	if l.adult, err = complete(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s, `--memory %s`: records | file MB | seconds | processor s | microseconds per record | of "+
		"the processor | times the first | of the processor | peak MB | columns on the disk MB | disk in all MB |\n"+
		"|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", method, memory)
	var first outcome
	for _, n := range counts {
		o, err := l.run(ctx, n)
		if err != nil {
			return err
		}
		if first.records == 0 {
			first = o
		}
		longer := o.perRecord / first.perRecord
		line := fmt.Sprintf(
			"| %d | %.0f | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f | %.0f |\n",
			n,
			o.fileMB,
			o.seconds,
			o.processor,
			o.perRecord,
			o.processorOfEvery,
			longer,
			o.processorOfEvery/first.processorOfEvery,
			o.peakMB,
			o.meanwhileMB,
			o.diskMB,
		)
		fmt.Fprint(os.Stderr, line)
		b.WriteString(line)
		switch {
		case o.peakMB > l.limit:
			return fmt.Errorf("%d records take %.0f MB, and were given %.0f MB", n, o.peakMB, l.limit)
		case longer > 3:
			return fmt.Errorf("a record of %d takes %.1f times as long as one of %d", n, longer, first.records)
		}
	}
	return published(page, fmt.Sprintf(beginLarger, method), b.String())
}

// gib reads a number of GiB in MB (2^20 bytes).
func gib(memory string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(memory, "GiB"), 64)
	if err != nil || !strings.HasSuffix(memory, "GiB") || v <= 0 {
		return 0, fmt.Errorf("-memory %s: expected a number of GiB, such as 2GiB", memory)
	}
	return 1024 * v, nil
}

// run makes a table, protects it, and removes both.
func (l *larger) run(ctx context.Context, n int) (o outcome, err error) {
	if free := freeBytes(l.dir); free >= 0 && free < int64(n)*(2*bytesOfRecord+bytesMeanwhile) {
		return o, fmt.Errorf("%d records take about %d GB of the disk, table, release and what is there meanwhile "+
			"together; %s has %d GB (TMPDIR names another folder)",
			n, int64(n)*(2*bytesOfRecord+bytesMeanwhile)/1e9, l.dir, free/1e9)
	}
	in, out := filepath.Join(l.dir, "census.csv"), filepath.Join(l.dir, "release.csv")
	defer os.Remove(in)
	defer os.Remove(out)
	if err := write(in, l.adult, n); err != nil {
		return o, err
	}
	c := exec.CommandContext(
		ctx,
		l.exe,
		"protect",
		in,
		"--class",
		"income",
		"--method",
		l.method,
		"--limits",
		"none",
		"--memory",
		l.memory,
		"-o",
		out,
	)
	var complaint bytes.Buffer
	c.Stderr = &complaint
	c.Env = append(os.Environ(), "TMPDIR="+l.dir)
	began := time.Now()
	if err := c.Start(); err != nil {
		return o, err
	}
	ended, most := make(chan struct{}), make(chan int64, 1)
	go func() { most <- mostMapped(c.Process.Pid, ended) }()
	err = c.Wait()
	o.seconds = time.Since(began).Seconds()
	close(ended)
	o.meanwhileMB = float64(<-most) / 1e6
	if err != nil {
		return o, fmt.Errorf("%w: %s", err, complaint.String())
	}
	for _, path := range []string{in, out} {
		st, err := os.Stat(path)
		if err != nil {
			return o, err
		}
		if o.diskMB += float64(st.Size()) / 1e6; path == in {
			o.fileMB = float64(st.Size()) / 1e6
		}
	}
	o.diskMB += o.meanwhileMB
	o.records, o.processor, o.peakMB = n, (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), peakMB(
		c.ProcessState,
	)
	o.perRecord, o.processorOfEvery = 1e6*o.seconds/float64(n), 1e6*o.processor/float64(n)
	return o, nil
}

// mostMapped returns how many bytes of files without a name a process has in its memory at most, which are on the disk
// as long as they are there; 0 where the system does not tell.
func mostMapped(pid int, ended <-chan struct{}) (most int64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return most
		case <-tick.C:
		}
		if children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)); err == nil &&
			len(bytes.Fields(children)) > 0 {
			if child, err := strconv.Atoi(string(bytes.Fields(children)[0])); err == nil {
				most = max(most, mappedOf(child))
			}
		}
		most = max(most, mappedOf(pid))
	}
}

// mappedOf returns how many bytes of dither's files without a name a process has in its memory now.
func mappedOf(pid int) (sum int64) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(maps)) {
		if !strings.Contains(line, "/.dither-") {
			continue
		}
		from, to, _ := strings.Cut(strings.Fields(line)[0], "-")
		lo, err1 := strconv.ParseUint(from, 16, 64)
		hi, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil {
			sum += int64(hi - lo)
		}
	}
	return sum
}
