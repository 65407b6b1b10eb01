package provenance

import "strings"

// Template strips from the name of a job what changes from one execution to the next: numbers,
// and so dates and times; months by name beside a number; hexadecimal hashes of at least 7
// characters, of which one is a digit; UUIDs. A # takes the place of each, so that
//
//	Usage_2020-11-04_part12_9f86d081 and Usage_2020-11-05_part7_60303ae2
//
// are both Usage_#-#-#_part#_#. What is left must be equal for two jobs to be of one template.
// Hourly and daily jobs, whose dates differ in form, stay apart. Versions and shards of a program
// do not; a site that tells these by number writes a function of its own.
//
// Which templates recur is the business of [Classify], in classify.go.
//
// It takes time in proportion to the length of the name.
//
// # Source
//
// Wing, Table 1, after Morpheus: names "templatized" by a rule that is not told. This one is ours.
// The similarity of source code, which they ask for too, is up to the caller: a template may be a
// name and a signature.
func Template(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	for i := 0; i < len(name); {
		if !alnum(name[i]) {
			b.WriteByte(name[i])
			i++
			continue
		}
		if uuid(name[i:]) {
			b.WriteByte('#')
			i += uuidLen
			continue
		}
		end := i
		for end < len(name) && alnum(name[end]) {
			end++
		}
		if hash(name[i:end]) {
			b.WriteByte('#')
			i = end
			continue
		}
		for i < end {
			from, number := i, digit(name[i])
			for i < end && digit(name[i]) == number {
				i++
			}
			if number || month(name[from:i]) && (numberEnds(name[:from]) || numberBegins(name[i:])) {
				b.WriteByte('#')
			} else {
				b.WriteString(name[from:i])
			}
		}
	}
	return b.String()
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
func alnum(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }
func hexa(c byte) bool  { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

const uuidLen = 36

// uuid reports whether a text begins with a UUID: 8, 4, 4, 4 and 12 hexadecimal digits.
func uuid(s string) bool {
	if len(s) < uuidLen || len(s) > uuidLen && alnum(s[uuidLen]) {
		return false
	}
	for i := range uuidLen {
		switch i {
		case 8, 13, 18, 23:
			if s[i] != '-' {
				return false
			}
		default:
			if !hexa(s[i]) {
				return false
			}
		}
	}
	return true
}

func hash(s string) bool {
	digits := 0
	for i := range len(s) {
		if !hexa(s[i]) {
			return false
		}
		if digit(s[i]) {
			digits++
		}
	}
	return len(s) >= 7 && digits > 0
}

// month reports whether a word is the name of a month, in full or its first three letters.
func month(s string) bool {
	if len(s) < 3 || len(s) > 9 {
		return false
	}
	for _, m := range months {
		if strings.EqualFold(s, m) || len(s) == 3 && strings.EqualFold(s, m[:3]) {
			return true
		}
	}
	return false
}

var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// numberEnds reports whether a text ends with a digit, and perhaps one separator after it.
func numberEnds(s string) bool {
	if s != "" && separator(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s != "" && digit(s[len(s)-1])
}

func numberBegins(s string) bool {
	if s != "" && separator(s[0]) {
		s = s[1:]
	}
	return s != "" && digit(s[0])
}

func separator(c byte) bool { return strings.IndexByte("-_./ ,", c) >= 0 }
