package dither

import "sync"

// others counts the releases of one table that this process made with fresh seeds.
type others struct {
	mu sync.Mutex
	n  int
}

func (o *others) count() int {
	if o == nil {
		return 0
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.n
}

// releases counts them by a hash of the table. It holds no values.
type releases struct {
	mu sync.Mutex
	of map[string]*others
}

var ledger releases

func (l *releases) add(key string) *others {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[string]*others{}
	}
	o := l.of[key]
	if o == nil {
		o = &others{}
		l.of[key] = o
	}
	o.mu.Lock()
	o.n++
	o.mu.Unlock()
	return o
}
