//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package journal

// locks is whether there are any.
const locks = false
