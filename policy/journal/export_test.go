package journal

import "os"

// Locks is whether a journal can be opened once only.
const Locks = locks

// OpenSlow opens a journal on files that take a few bytes at a time, so that a process is likely to be killed amid a
// record.
func OpenSlow(name string, c Config) (*Journal, error) { return openOn(slowFiles{}, name, c) }

type slowFiles struct{ files }

func (s slowFiles) open(name string) (file, error) { return slowly(s.files.open(name)) }
func (s slowFiles) create(name, instead string) (file, error) {
	return slowly(s.files.create(name, instead))
}

func slowly(f file, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return slow{f.(*os.File)}, nil
}

type slow struct{ *os.File }

func (s slow) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = s.File.Write(b[n:min(len(b), n+max(50, len(b)/400))])
		n += m
	}
	return n, err
}
