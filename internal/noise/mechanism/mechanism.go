// Package mechanism draws the noise of differential privacy, and says how much of it a promise takes.
//
// Sampling is exact: on integers, with rational parameters, by comparing uniform integers, so that the law of a draw is
// the one that the proof is about. Mechanisms that round real-valued noise are not (Mironov 2012: the low bits of a
// double tell what it was added to). Scores, counts and sums are integers too: a column on a grid is counted in its
// steps. Floating point serves only laws, errors and calibration, and what calibration yields is rounded to the side of
// more noise (Ratio, AtMost, AtLeast).
//
// Samplers take the words of a stream of package rng: AES in counter mode, from a secret seed. One goroutine draws from
// one stream. How long a draw takes depends on what is drawn, so they are for releases that are made and then shown,
// not for a server whose answers an intruder may time (Jin, McMurtry, Rubinstein & Ohrimenko 2022).
//
// Neighbours differ by one unit more or less (add or remove) unless a comment says otherwise.
package mechanism

// Words is an endless stream of uniform random words, as of rng.Stream.Words.
type Words interface{ Next() uint64 }
