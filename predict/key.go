package predict

import "math/bits"

// A key stands for a feature and the job's values of its attributes: 128 bits of hash, and
// nothing else is kept of the text. Two of n keys are equal by accident with a probability
// below n²/2^129, 10^-26 for ten million of them; their histories would be one. The
// hash is the same on all machines and in all runs, as snapshots hold keys. It is not meant
// to withstand somebody who looks for two texts of one key: all he gains is that jobs which he could
// have named alike are taken for alike.
type key struct{ a, b uint64 }

// hashText is MurmurHash3_x64_128 by Austin Appleby, which is in the public domain, except
// that both halves of the seed are given.
func hashText(seed key, s string) key {
	n := len(s)
	for len(s) >= 16 {
		seed = seed.block(word(s), word(s[8:]))
		s = s[16:]
	}
	var a, b uint64
	if len(s) > 8 {
		b = tail(s[8:])
		seed.b ^= bits.RotateLeft64(b*c2, 33) * c1
		s = s[:8]
	}
	if len(s) > 0 {
		a = tail(s)
		seed.a ^= bits.RotateLeft64(a*c1, 31) * c2
	}
	return seed.finish(uint64(n))
}

const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
)

// block takes in 16 bytes.
func (k key) block(a, b uint64) key {
	k.a ^= bits.RotateLeft64(a*c1, 31) * c2
	k.a = (bits.RotateLeft64(k.a, 27)+k.b)*5 + 0x52dce729
	k.b ^= bits.RotateLeft64(b*c2, 33) * c1
	k.b = (bits.RotateLeft64(k.b, 31)+k.a)*5 + 0x38495ab5
	return k
}

// finish mixes, after n bytes.
func (k key) finish(n uint64) key {
	k.a ^= n
	k.b ^= n
	k.a += k.b
	k.b += k.a
	k.a = mix(k.a)
	k.b = mix(k.b)
	k.a += k.b
	k.b += k.a
	return k
}

func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// word is the first 8 bytes of s, little-endian.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// tail is s, of 1 to 8 bytes, little-endian.
func tail(s string) uint64 {
	n := len(s)
	if n < 4 {
		return uint64(s[0]) | uint64(s[n/2])<<(8*(n/2)) | uint64(s[n-1])<<(8*(n-1))
	}
	// The first four bytes and the last four, which may overlap.
	return half(s) | half(s[n-4:])<<(8*(n-4))
}

// half is the first 4 bytes of s, little-endian.
func half(s string) uint64 {
	_ = s[3]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// with returns the key of what k stands for and then what o does. Both come from hashText.
func (k key) with(o key) key { return key{k.a*c1 + o.a, k.b*c2 + o.b} }
