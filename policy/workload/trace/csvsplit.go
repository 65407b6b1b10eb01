package trace

import (
	"bytes"
	"fmt"
)

// separator returns what separates the columns of a table: what its first line has most of outside of quotes, a comma if in
// doubt.
func separator(line []byte) byte {
	var n [256]int
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			n[c]++
		}
	}
	sep := byte(',')
	for _, c := range []byte(";\t|") {
		if n[c] > n[sep] {
			sep = c
		}
	}
	return sep
}

// splitCSV cuts a row into columns, appended to cols, without the blanks around them. A column may be in quotes, and a quote in
// it is doubled; a quote in a column that is not is an error.
func splitCSV(cols [][]byte, line []byte, sep byte) ([][]byte, *problem) {
	quotes := bytes.IndexByte(line, '"') >= 0
	for len(cols) < maxColumns {
		text, rest, more := cutByte(line, sep)
		if quotes {
			ok := true
			if text, rest, more, ok = unquote(line, sep); !ok {
				return cols, &problem{"quotes are wrong", fmt.Sprintf("column %d: %s", len(cols)+1, quote(line))}
			}
		}
		if n := len(text); n > 0 && (text[0]-'!' > '~'-'!' || text[n-1]-'!' > '~'-'!') { // few columns have blanks around them
			text = bytes.TrimSpace(text)
		}
		if cols = append(cols, text); !more {
			return cols, nil
		}
		line = rest
	}
	return cols, &problem{"more than 2^16 columns", ""}
}

// cutByte cuts the first column off a row.
func cutByte(line []byte, sep byte) (text, rest []byte, more bool) {
	if at := bytes.IndexByte(line, sep); at >= 0 {
		return line[:at], line[at+1:], true
	}
	return line, nil, false
}

// unquote cuts the first column off a row. more reports whether another one follows, and ok whether its quotes are right.
func unquote(line []byte, sep byte) (text, rest []byte, more, ok bool) {
	line = bytes.TrimLeft(line, " ")
	if len(line) == 0 || line[0] != '"' {
		text, rest, more = cutByte(line, sep)
		return text, rest, more, bytes.IndexByte(text, '"') < 0
	}
	for line = line[1:]; ; {
		part, after, closed := cutByte(line, '"')
		if !closed {
			return nil, nil, false, false
		}
		if len(after) == 0 || after[0] != '"' {
			if text == nil {
				text = part // the usual case, which needs no copy
			} else {
				text = append(text, part...)
			}
			blank, rest, more := cutByte(after, sep)
			return text, rest, more, len(bytes.TrimSpace(blank)) == 0
		}
		text, line = append(append(text, part...), '"'), after[1:]
	}
}
