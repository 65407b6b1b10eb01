//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package journal

import "io"

// lock holds nothing: the standard library has no lock here that ends with its process.
func lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }
