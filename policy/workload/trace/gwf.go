package trace

import "bytes"

// The Grid Workload Format is that of the Grid Workloads Archive: its first 16 columns are those of the Standard Workload Format, except
// that user, group, program, queue and partition may be words, and its comments begin with #.
//
// # Source
//
// A. Iosup, H. Li, M. Jan, S. Anoep, C. Dumitrescu, L. Wolters and D. Epema, "The Grid Workloads Archive", Future Generation
// Computer Systems 24(7), 2008; the names of the columns are those of the archive's files.
const (
	gwfSite    = 16 // where it was submitted
	gwfVO      = 27 // virtual organisation
	gwfProject = 28
	gwfColumns = 29
)

func gwfParser(*ReaderConfig) (parser, error) { return &swf{grid: true}, nil }

// gwfTitle reports whether a line names the columns. Some files have such a line, with # or without.
func gwfTitle(line []byte) bool { return len(line) >= 5 && bytes.EqualFold(line[:5], []byte("JobID")) }

// looksGWF accepts a row, or names, of 29 columns, which cannot be a row of tr: a word is no number, or a negative one.
func looksGWF(first []byte) bool {
	var cols [gwfColumns][]byte
	if words(first, cols[:]) != gwfColumns {
		return false
	}
	if gwfTitle(first) {
		return true
	}
	unlike := false
	for _, text := range cols {
		x, ok := number(text)
		unlike = unlike || !ok || x < 0
	}
	_, numbered := natural(cols[swfNumber])
	return numbered && unlike
}
