// Package loop is below everything that is read.
package loop

// Each calls back, which is no climb: what is called is read where it is written.
func Each(n int, do func(int)) {
	for i := range n {
		do(i)
	}
}
