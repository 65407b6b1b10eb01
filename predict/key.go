package predict

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// A key is a keyed hash of 128 bits of a feature and the job's values of its attributes. The text
// itself is not kept. Two of n keys collide with a probability below n²/2^129, 10^-25 for ten million
// keys; the two would then share one history.
type key struct{ a, b uint64 }

// short is half of a key. That two of n are equal has a probability below n²/2^65, and would only keep a value for longer.
func (k key) short() uint64 { return k.a ^ bits.RotateLeft64(k.b, 32) }

// A secret keys the hash of one predictor, and of the predictors restored from its snapshots. Without it nobody
// can find two texts with the same key.
type secret [16]byte

// newSecret draws a secret. Unless keys collide, no prediction depends on it, so equal observations still
// give equal answers.
func newSecret() (s secret) {
	rand.Read(s[:]) // never returns an error
	return s
}

// key hashes the values of a feature's attributes: it is the first half of
//
//	SHA-256(secret, length of feature, feature, length of value, value, length of value, value, ...)
//
// The output is cut and never shown, so nobody can extend a text, and a secret in front is as good as HMAC.
// It does not allocate if the feature's name and the values are shorter than len(place) - 64 bytes together.
func (s *secret) key(f *feature, values *[maxFeatures]string, place []byte) key {
	b := append(place[:0], s[:]...)
	b = binary.AppendUvarint(b, uint64(len(f.id)))
	b = append(b, f.id...)
	for _, at := range f.attrs {
		b = binary.AppendUvarint(b, uint64(len(values[at])))
		b = append(b, values[at]...)
	}
	sum := sha256.Sum256(b)
	return key{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}
