package predict

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// A key stands for a feature and the job's values of its attributes: 128 bits of a keyed hash. Nothing
// else is kept of the text. Two of n keys are equal by accident with a probability below n²/2^129, 10^-26 for
// ten million of them; their histories would be one.
type key struct{ a, b uint64 }

// A secret keys the hash of one predictor and of those that its snapshots restore. Whoever does not know it
// can neither find two texts with the same key nor fill one place of the index.
type secret [16]byte

// newSecret draws a secret. No prediction depends on it, unless keys are equal by accident, so equal
// observations still give equal answers.
func newSecret() *secret {
	s := new(secret)
	rand.Read(s[:]) // never returns an error
	return s
}

// key hashes the values of a feature's attributes: it is the first half of
//
//	SHA-256(secret, feature, length of value, value, length of value, value, ...)
//
// The output is cut and never shown, so nobody can extend a text, and a secret in front is as good as HMAC.
// It does not allocate if the values are shorter than len(place) - 64 bytes together.
func (s *secret) key(feature int, attrs []int, values *[maxFeatures]string, place []byte) key {
	b := append(place[:0], s[:]...)
	b = append(b, byte(feature))
	for _, at := range attrs {
		b = binary.AppendUvarint(b, uint64(len(values[at])))
		b = append(b, values[at]...)
	}
	sum := sha256.Sum256(b)
	return key{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}
