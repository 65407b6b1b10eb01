package predict

import (
	"fmt"
	"strings"
	"testing"
)

// Jobs whose attributes differ share no history, whatever the attributes are.
func TestDifferentValuesShareNoHistory(t *testing.T) {
	texts := []string{
		"build",
		// With MurmurHash3_x64_128 and seed 0 this text has the hash of "build".
		"\xb8\xc4D\x87\xb2\xb5\xcd\xea\x0e\x18\xe2\x9a\xdd\xddx\x12",
		"", "\x00", "a", "ab", "b", "\x01a", "a\x01b", "build\x00",
	}
	for n := range 40 { // all lengths near the blocks of a hash
		texts = append(texts, strings.Repeat("x", n+1), strings.Repeat("\x00", n+2))
	}
	texts = append(texts, strings.Repeat("x", 4<<10), strings.Repeat("x", 4<<10)+"y")
	names := []string{"user", "program", "user+program", All}
	features, err := newFeatureSet(names)
	if err != nil {
		t.Fatal(err)
	}
	var jobs []Attrs
	for _, text := range texts {
		jobs = append(jobs, Attrs{"user": text}, Attrs{"program": text})
		for _, other := range texts[:10] {
			jobs = append(jobs, Attrs{"user": text, "program": other})
		}
	}
	secret, values, used := newSecret(), make(map[key]string), make(map[string]key)
	for _, job := range jobs {
		k := features.keys(job, &secret, new(places))
		for have := k.have; have != 0; {
			i := next(&have)
			user, program := job["user"], job["program"]
			switch names[i] {
			case "user":
				program = ""
			case "program":
				user = ""
			case All:
				user, program = "", ""
			}
			value := fmt.Sprintf("%s %q %q", names[i], user, program)
			if other, ok := values[k.of[i]]; ok && other != value {
				t.Errorf("%.60s has the key of %.60s", value, other)
			}
			if before, ok := used[value]; ok && before != k.of[i] {
				t.Errorf("%.60s has two keys", value)
			}
			values[k.of[i]], used[value] = value, k.of[i]
		}
	}
}
