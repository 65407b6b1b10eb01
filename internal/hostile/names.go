package hostile

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// names reports whether an error's text lets its reader find the culprit: it has that as a word, or the number.
// A text that says what number the culprit is must have the one that was given.
func names(text, culprit string, x any) bool {
	word := cmp.Or(regexp.QuoteMeta(culprit), `[^\s\S]`) // reflection knows no names of parameters
	for _, said := range regexp.MustCompile(`(?i)\b`+word+`\b(?:\[\d*\])? is (\S+)`).FindAllStringSubmatch(text, -1) {
		if same, isNumber := means(said[1], x); isNumber {
			return same
		}
	}
	if regexp.MustCompile(`(?i)\b` + word + `\b`).MatchString(text) {
		return true
	}
	for said := range strings.FieldsSeq(text) {
		if same, _ := means(said, x); same {
			return true
		}
	}
	return false
}

// means reports whether a word is a number, and whether that is x.
func means(word string, x any) (same, isNumber bool) {
	word = strings.Trim(word, `,;:()[]"`)
	if word == fmt.Sprint(x) {
		return true, true
	}
	v := reflect.ValueOf(x)
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f == v.Convert(reflect.TypeFor[float64]()).Float(), true
	}
	if d, err := time.ParseDuration(word); err == nil {
		return v.CanInt() && int64(d) == v.Int(), true
	}
	return false, false
}
