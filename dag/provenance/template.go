package provenance

import "strings"

// Template returns the template of a job name. It replaces by # what changes from one execution to
// the next: numbers, including dates and times; names of months beside a number; hexadecimal hashes
// of at least 7 characters with at least one digit; and UUIDs. So the jobs
//
//	Usage_2020-11-04_part12_9f86d081 and Usage_2020-11-05_part7_60303ae2
//
// both have the template Usage_#-#-#_part#_#. Hourly and daily jobs stay apart, since their dates
// differ in form. Versions and shards of a program get the same template: write a function of your
// own if numbers distinguish programs. [Classify] decides which templates recur.
//
// Template takes time in proportion to the length of the name.
//
// # Source
//
// Wing, Table 1, after Morpheus, where names are "templatized" by an unpublished rule. This rule is ours. Wing also requires
// similar source code, which is up to the caller: a template may be a name and a signature.
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

// uuid reports whether s begins with a UUID: 8, 4, 4, 4 and 12 hexadecimal digits.
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

// month reports whether s is the name of a month, in full or its first three letters.
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

// numberEnds reports whether s ends with a digit, or with a digit and one separator.
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
