package journal

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
)

// A fragile is a disk that breaks right after a call, or of which one call fails.
type fragile struct {
	names map[string]*memory   // as a process sees them
	dirs  []map[string]*memory // what they may be after a loss of power: as they were synced, or after a change since then
	calls int
	stop  int // at this call; 0: never
	way   int
	after *fragile // what is there when it has broken
	held  bool     // its lock, until the process ends
	files int      // that are open
}

// The ways to break: the call fails, and the others do not; the process dies; or the power is lost, in so many ways.
const (
	fails = iota
	kill
	power // nothing has survived that was not synced
	ways  = power + contents*dirs

	contents = 4 // how much of what was written to a file and not synced is lost: all to nothing
	dirs     = 3 // how many of the changes of names
)

func newFragile(stop, way int) *fragile {
	none := make(map[string]*memory)
	return &fragile{names: none, dirs: []map[string]*memory{none}, stop: stop, way: way}
}

var errBroken = errors.New("input/output error")

// do does something that is a call of the disk, unless that has broken.
func (d *fragile) do(call func()) error {
	d.calls++
	if d.after != nil || d.calls == d.stop && d.way == fails {
		return errBroken
	}
	call()
	if d.calls != d.stop {
		return nil
	}
	if d.after = d.clone(); d.way >= power {
		d.after.lose((d.way-power)%contents, (d.way-power)/contents)
	}
	return errBroken
}

// lose keeps of each file what was synced, and some of the rest, and some of the changes of names.
func (d *fragile) lose(content, dir int) {
	d.names = d.dirs[(len(d.dirs)-1)*dir/(dirs-1)]
	d.dirs = []map[string]*memory{d.names}
	for _, f := range d.names {
		f.synced += (len(f.b) - f.synced) * content / (contents - 1)
		f.b = f.b[:f.synced]
		clear(f.b[min(f.gone, len(f.b)):min(f.until, len(f.b))])
	}
}

// clone returns a disk that has the same, and does not break.
func (d *fragile) clone() *fragile {
	files := make(map[*memory]*memory)
	c := new(fragile)
	for _, names := range d.dirs {
		c.names = make(map[string]*memory)
		for name, f := range names {
			if files[f] == nil {
				m := *f
				m.b, files[f] = slices.Clone(f.b), &m
			}
			c.names[name] = files[f]
		}
		c.dirs = append(c.dirs, c.names) // the last of which is what a process sees
	}
	return c
}

func (d *fragile) lock(string) (io.Closer, error) {
	if d.held {
		return nil, ErrOpen
	}
	d.held = true
	return &held{d}, nil
}

type held struct{ disk *fragile }

func (h *held) Close() error {
	if !h.disk.held {
		return errors.New("the lock was given back before")
	}
	h.disk.held = false
	return nil
}

func (d *fragile) open(name string) (file, error) {
	if err := d.do(func() {}); err != nil {
		return nil, err
	}
	m, ok := d.names[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	m.at = 0
	d.files++
	return &brittle{m, d}, nil
}

func (d *fragile) create(name, _ string) (file, error) {
	m := new(memory)
	if err := d.change(func(names map[string]*memory) { names[name] = m }); err != nil {
		return nil, err
	}
	d.files++
	return &brittle{m, d}, nil
}

// change changes names, for good when they are synced.
func (d *fragile) change(change func(names map[string]*memory)) error {
	return d.do(func() {
		d.names = maps.Clone(d.names)
		change(d.names)
		d.dirs = append(d.dirs, d.names)
	})
}

func (d *fragile) rename(from, to string) error {
	return d.change(func(names map[string]*memory) {
		names[to] = names[from]
		delete(names, from)
	})
}

func (d *fragile) remove(name string) error {
	return d.change(func(names map[string]*memory) { delete(names, name) })
}

func (d *fragile) syncDir(string) error {
	return d.do(func() { d.dirs = []map[string]*memory{d.names} })
}

// A brittle is a file of such a disk.
type brittle struct {
	*memory
	disk *fragile
}

// Read and Seek may fail, but nothing is lost at them: they do not count for the other ways to break.
func (b *brittle) Read(p []byte) (n int, err error) {
	if b.disk.way == fails {
		err = b.disk.do(func() {})
	}
	if err == nil {
		n, err = b.memory.Read(p)
	}
	return n, err
}

func (b *brittle) Seek(offset int64, whence int) (n int64, err error) {
	if b.disk.way == fails {
		err = b.disk.do(func() {})
	}
	if err == nil {
		n, err = b.memory.Seek(offset, whence)
	}
	return n, err
}

func (b *brittle) Write(p []byte) (n int, err error) {
	err = b.disk.do(func() {
		if n = len(p); b.disk.calls == b.disk.stop && b.disk.way == kill {
			n /= 2
		}
		_, _ = b.memory.Write(p[:n])
	})
	return n, err
}

// Sync syncs. If it fails, the system takes for written what it could not write.
func (b *brittle) Sync() error {
	err := b.disk.do(func() { _ = b.memory.Sync() })
	if err != nil && b.disk.after == nil {
		b.gone, b.until = b.synced, len(b.b)
	}
	return err
}

func (b *brittle) Truncate(size int64) error {
	return b.disk.do(func() { _ = b.memory.Truncate(size) })
}

func (b *brittle) Close() error {
	b.disk.files--
	return b.disk.do(func() {})
}
