package sas7bdat

// packing is how the records of a file are compressed.
type packing uint8

const (
	runs    packing = 1 + iota // compress=char, SASYZCRL: runs of a byte
	doubles                    // compress=binary, SASYZCR2: runs and patterns that come again (Ross, "RDC")
)

// unpack fills a record from its compressed bytes, and reports whether they fill it.
func (p packing) unpack(row, in []byte) bool {
	o := out{row: row}
	switch {
	case len(in) == len(row):
		copy(row, in)
		return true
	case p == runs:
		o.runs(in)
	case p == doubles:
		o.doubles(in)
	}
	return !o.bad && o.n == len(row)
}

// out is a record that is being filled.
type out struct {
	row []byte
	n   int
	bad bool // more than the record holds was to be written, or less than was asked for was there
}

// fill writes a byte so many times.
func (o *out) fill(b byte, n int) {
	if n > len(o.row)-o.n {
		o.bad = true
		return
	}
	for range n {
		o.row[o.n] = b
		o.n++
	}
}

// copy writes the next n bytes of the input and returns what is behind them.
func (o *out) copy(in []byte, n int) []byte {
	if n > len(in) || n > len(o.row)-o.n {
		o.bad = true
		return nil
	}
	o.n += copy(o.row[o.n:], in[:n])
	return in[n:]
}

// again writes n bytes that stand so far back; they may reach into what is being written.
func (o *out) again(back, n int) {
	if back < 1 || back > o.n || n > len(o.row)-o.n {
		o.bad = true
		return
	}
	for range n {
		o.row[o.n] = o.row[o.n-back]
		o.n++
	}
}

// runs unpacks commands of four bits, each with a length in the other four.
func (o *out) runs(in []byte) {
	for len(in) > 0 && !o.bad && o.n < len(o.row) {
		command, n := in[0]>>4, int(in[0]&15)
		in = in[1:]
		need := 0
		switch command {
		case 4:
			need = 2
		case 0, 1, 5, 6, 7, 12:
			need = 1
		}
		if len(in) < need {
			o.bad = true
			return
		}
		arg := in[:need]
		in = in[need:]
		switch command {
		case 0:
			in = o.copy(in, 64+n<<8+int(arg[0]))
		case 1:
			in = o.copy(in, 64+4096+n<<8+int(arg[0]))
		case 4:
			o.fill(arg[1], 18+n<<8+int(arg[0]))
		case 5:
			o.fill('@', 17+n<<8+int(arg[0]))
		case 6:
			o.fill(' ', 17+n<<8+int(arg[0]))
		case 7:
			o.fill(0, 17+n<<8+int(arg[0]))
		case 8, 9, 10, 11:
			in = o.copy(in, 1+16*int(command-8)+n)
		case 12:
			o.fill(arg[0], 3+n)
		case 13:
			o.fill('@', 2+n)
		case 14:
			o.fill(' ', 2+n)
		case 15:
			o.fill(0, 2+n)
		default:
			o.bad = true
		}
	}
}

// doubles unpacks groups of sixteen: a bit tells whether a byte stands for itself or begins a command.
func (o *out) doubles(in []byte) {
	var bits, left uint16
	for len(in) > 0 && !o.bad && o.n < len(o.row) {
		if left == 0 {
			if len(in) < 2 {
				o.bad = true
				return
			}
			bits, left = uint16(in[0])<<8|uint16(in[1]), 16
			in = in[2:]
			continue
		}
		left--
		if bits>>left&1 == 0 {
			in = o.copy(in, 1)
			continue
		}
		in = o.double(in)
	}
}

// double carries out one command and returns what is behind it.
func (o *out) double(in []byte) []byte {
	command, n := in[0]>>4, int(in[0]&15)
	need := 2
	if command == 1 || command == 2 {
		need = 3
	}
	if len(in) < need {
		o.bad = true
		return nil
	}
	switch command {
	case 0:
		o.fill(in[1], n+3)
	case 1:
		o.fill(in[2], n+int(in[1])<<4+19)
	case 2:
		o.again(n+int(in[1])<<4+3, int(in[2])+16)
	default:
		o.again(n+int(in[1])<<4+3, int(command))
	}
	return in[need:]
}
