package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
)

// allowance is how many bytes reading a small damaged file may allocate. Unpacking honest data takes megabytes;
// believing a damaged count takes gigabytes.
const allowance = 256 << 20

// probe reads what may be no sound file: an error of one line or a table must come back, without a panic and without
// much memory.
func (s *suite) probe(data []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the reader panics: %v", p)
		}
	}()
	before := allocated()
	t, info, fault := s.f.Read(context.Background(), bytes.Clone(data), dialect.Options{})
	if err := s.probePieces(data, fault); err != nil {
		return err
	}
	if n := allocated() - before; n > allowance {
		return fmt.Errorf("%d bytes were allocated for a file of %d", n, len(data))
	}
	switch {
	case fault == nil && (t == nil || info == nil):
		return errors.New("neither a table nor an error")
	case fault != nil && strings.ContainsAny(fault.Error(), "\n\r"):
		return fmt.Errorf("an error of several lines: %q", fault)
	}
	return nil
}

// probePieces reads the same in pieces: they end with an error where the whole has one.
func (s *suite) probePieces(data []byte, fault error) error {
	if s.f.Pieces == nil {
		return nil
	}
	var end error
	for _, err := range s.f.Pieces(context.Background(), bytes.NewReader(data), int64(len(data)), 100, dialect.Options{}) {
		if end != nil {
			return errors.New("the pieces go on behind an error")
		}
		end = err
	}
	if (end == nil) != (fault == nil) {
		return fmt.Errorf("read whole: %v; read in pieces: %v", fault, end)
	}
	return nil
}

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// sound returns files to damage.
func (s *suite) sound() ([][]byte, error) {
	var out [][]byte
	var err error
	if s.f.Write != nil {
		out = make([][]byte, 1)
		out[0], err = s.write(s.small(), dialect.Options{})
	}
	out = append(out, s.files.More...)
	if s.files.Dates != nil {
		out = append(out, s.files.Dates)
	}
	return out, err
}

// cutShort reads every beginning of the files. No message may hold a value.
func (s *suite) cutShort() error {
	files, err := s.sound()
	if err != nil {
		return err
	}
	for k, data := range files {
		for n := 0; n < len(data); n += step(data) {
			if err := s.probe(data[:n]); err != nil {
				return fmt.Errorf("file %d, its first %d bytes: %w", k+1, n, err)
			}
			if _, _, err := s.f.Read(context.Background(), bytes.Clone(data[:n]), dialect.Options{}); err != nil &&
				strings.Contains(err.Error(), secret) {
				return fmt.Errorf("file %d, its first %d bytes: the message holds a value: %w", k+1, n, err)
			}
		}
	}
	return nil
}

// step is from which byte of a file to which a check goes: in a quick run it looks at some 300 of a larger file.
func step(data []byte) int { return long.Of(1+len(data)/300, 1) }

// damaged reads the files with bytes flipped, counts made huge, parts left out, doubled and overwritten.
func (s *suite) damaged() error {
	files, err := s.sound()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	for k, data := range files {
		for i := 0; i < len(data); i += step(data) {
			for n, patch := range [][]byte{{data[i] ^ 1}, {data[i] ^ 0x80}, {0xff}, {0xff, 0xff, 0xff, 0x7f},
				{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}} {
				if !long.Enabled() && i%5 != n {
					continue // the ways take turns
				}
				bad := bytes.Clone(data)
				copy(bad[i:], patch)
				if err := s.probe(bad); err != nil {
					return fmt.Errorf("file %d, byte %d as % x: %w", k+1, i+1, patch, err)
				}
			}
		}
		for n := range long.Of(20, 300) {
			lo := r.IntN(len(data))
			hi := lo + r.IntN(len(data)-lo)
			noise := make([]byte, hi-lo)
			for i := range noise {
				noise[i] = byte(r.Uint32())
			}
			for _, middle := range [][]byte{nil, noise, append(bytes.Clone(data[lo:hi]), data[lo:hi]...)} {
				if err := s.probe(bytes.Join([][]byte{data[:lo], middle, data[hi:]}, nil)); err != nil {
					return fmt.Errorf("file %d, try %d, bytes %d to %d: %w", k+1, n, lo+1, hi, err)
				}
			}
		}
	}
	return nil
}

var digits = regexp.MustCompile(`[0-9]+`)

// nonsense reads random bytes, one byte over and over, and numbers without end.
func (s *suite) nonsense() error {
	files, err := s.sound()
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(3, 4))
	for n := range long.Of(20, 300) {
		noise := make([]byte, r.IntN(4096))
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		head := files[n%len(files)]
		for _, data := range [][]byte{noise, append(bytes.Clone(head[:min(len(head), 16)]), noise...),
			append(bytes.Clone(head), noise...)} {
			if err := s.probe(data); err != nil {
				return fmt.Errorf("noise %d: %w", n, err)
			}
		}
	}
	for _, b := range []byte("\x00\t\n\r \"',0;?@Pa{|}\\\xff") {
		for _, head := range append(files, nil) {
			if err := s.probe(append(bytes.Clone(head), bytes.Repeat([]byte{b}, long.Of(1<<12, 1<<18))...)); err != nil {
				return fmt.Errorf("%q over and over: %w", b, err)
			}
		}
	}
	for _, data := range files {
		for _, number := range []string{"99999999999999999999", "1e999", "-" + strings.Repeat("9", 1<<16), "0x7fffffff"} {
			if err := s.probe(digits.ReplaceAllLiteral(data, []byte(number))); err != nil {
				return fmt.Errorf("numbers like %s: %w", clip(number), err)
			}
		}
	}
	return nil
}

// Fuzz reads what the fuzzer finds, beginning with the seeds: nothing panics, and what is accepted is written, in the
// ways of its file, so that it reads as the same values.
func Fuzz(f *testing.F, format dialect.Format, seeds ...[]byte) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	FuzzWith(f, format, dialect.Options{})
}

// FuzzWith is Fuzz for files that are read in another way; the seeds are those that f has.
func FuzzWith(f *testing.F, format dialect.Format, opt dialect.Options) {
	s := &suite{f: format}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, info, err := s.read(bytes.Clone(data), opt)
		if err != nil || format.Write == nil {
			return
		}
		first = s.fit(first)
		opt := info.Like(opt)
		if opt.Items == nil {
			opt = info.Like(s.ask(first))
		}
		out, err := s.write(first, opt)
		if err != nil {
			if strings.Contains(err.Error(), "UTF-8") { // a name or a label that only this format holds
				return
			}
			t.Fatal(err)
		}
		back, _, err := s.read(out, opt)
		if err != nil {
			t.Fatalf("written %q: %v", out, err)
		}
		for j := range first.Width() { // the grid of a continuous column may be found in its shortest texts
			if a := *first.Attr(j); a.Step != back.Attr(j).Step {
				a.Step = back.Attr(j).Step
				first = first.WithAttr(j, a)
			}
		}
		if err := s.same(first, back); err != nil {
			t.Fatalf("written %q: %v", out, err)
		}
	})
}
