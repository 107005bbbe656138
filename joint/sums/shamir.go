package sums

// Shares of secrets (Shamir 1979), byte by byte in the field of 2^8 elements with the polynomial of AES: any threshold
// of them give the secret, fewer nothing.

// times multiplies in the field, in the same steps for all numbers.
func times(a, b byte) (p byte) {
	for range 8 {
		p ^= a & -(b & 1)
		a = a<<1 ^ 0x1b&-(a>>7)
		b >>= 1
	}
	return p
}

// inverse is that of a number that is not 0: its power 254.
func inverse(a byte) byte {
	p := byte(1)
	for range 254 {
		p = times(p, a)
	}
	return p
}

// split makes n shares of a secret, of which threshold give it back; n is 255 at most. random holds threshold-1 uniform
// bytes for each byte of the secret.
func split(secret []byte, n, threshold int, random []byte) [][]byte {
	out := make([][]byte, n)
	for k := range out {
		out[k] = make([]byte, len(secret))
		for i, s := range secret {
			v := byte(0)
			for d := threshold - 2; d >= 0; d-- {
				v = times(v, byte(k+1)) ^ random[i*(threshold-1)+d]
			}
			out[k][i] = times(v, byte(k+1)) ^ s
		}
	}
	return out
}

// join gives back the secret of shares, by the numbers they were made under, from 0.
func join(shares map[int][]byte, size int) []byte {
	secret := make([]byte, size)
	for k, share := range shares {
		weight := byte(1)
		for j := range shares {
			if j != k {
				weight = times(weight, times(byte(j+1), inverse(byte(j+1)^byte(k+1))))
			}
		}
		for i := range secret {
			secret[i] ^= times(weight, share[i])
		}
	}
	return secret
}
