package trace

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wantNumber compares the fast way with strconv.ParseFloat, to the last bit, and reports
// whether the fast way was taken.
func wantNumber(t *testing.T, text string) (fast bool) {
	t.Helper()
	want, wantErr := strconv.ParseFloat(text, 64)
	if strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) }) {
		want, wantErr = 0, strconv.ErrSyntax // such as 1_000, 0x1p4, inf and nan
	}
	got, fast := decimal([]byte(text))
	if fast && (wantErr != nil || math.Float64bits(got) != math.Float64bits(want)) {
		t.Errorf("decimal(%q) = %v, want %v, %v", text, got, want, wantErr)
	}
	got, err := number([]byte(text))
	if math.Float64bits(got) != math.Float64bits(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("number(%q) = %v, %v, want %v, %v", text, got, err, want, wantErr)
	}
	return fast
}

func TestNumber(t *testing.T) {
	for _, test := range []struct {
		text string
		fast bool
	}{
		{"0", true}, {"7", true}, {"007", true}, {"1.5", true}, {".5", true}, {"5.", true}, {"0.000", true},
		{"9007199254740992", true}, {"900719925474099.2", true}, {".9007199254740992", true}, // 2^53
		{"9007199254740993", false}, {"900719925474099.3", false}, {"9999999999999999999", false}, {"18446744073709551617", false},
		{"0000000000000000001", true}, {"00000000000000000001", false}, {"0.00000000000000001", true}, {".000000000000000001", true},
		{"1000000000.5", true}, {"44444.444444444444444444", false},
		{"", false}, {".", false}, {"..", false}, {"1..2", false}, {"1.2.3", false}, {".1.", false}, {"-1", false}, {"+1", false}, {"1e3", false},
		{"0x10", false}, {"1_000", false}, {"0x1p4", false}, {"1e1_0", false}, {"Inf", false}, {"-inf", false}, {"Infinity", false}, {"NaN", false}, {"1,5", false}, {"1/", false}, {"1:", false}, {" 1", false}, {"1 ", false},
		{"1e400", false}, {"\x00", false}, {"٣", false},
	} {
		if fast := wantNumber(t, test.text); fast != test.fast {
			t.Errorf("%q: got fast = %v, want %v", test.text, fast, test.fast)
		}
	}
}

// Random texts of what stands in numbers, and numbers around 2^53.
func TestNumberLikeParseFloat(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	fast := 0
	for range 5_000 {
		text := make([]byte, rng.IntN(22))
		for i := range text {
			text[i] = "0123456789.99999000e-"[rng.IntN(21)]
		}
		for _, text := range []string{
			string(text), strconv.FormatFloat(float64(rng.Int64N(1e13))/1e9, 'f', 9, 64), strconv.FormatUint(1<<53-50+rng.Uint64N(100), 10),
		} {
			if wantNumber(t, text) {
				fast++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if fast < 5_000 {
		t.Errorf("%d numbers are read fast, want at least the 5000 of whole nanoseconds", fast)
	}
}

// A row is cut as encoding/csv does it, and refused where it refuses it.
func TestSplitCSV(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	good, bad := 0, 0
	for range 5_000 {
		var line strings.Builder
		for range 1 + r.IntN(12) {
			line.WriteByte(`,,"""ab `[r.IntN(8)])
		}
		reader := csv.NewReader(strings.NewReader(line.String()))
		want, err := reader.Read()
		got, p := splitCSV(nil, []byte(line.String()))
		if (err == nil) != (p == nil) {
			t.Fatalf("%q: got problem %v, encoding/csv says %v", line.String(), p, err)
		}
		if err != nil {
			bad++
			continue
		}
		good++
		var texts []string
		for _, c := range got {
			texts = append(texts, string(c))
		}
		if diff := cmp.Diff(want, texts); diff != "" {
			t.Fatalf("%q: -want +got:\n%s", line.String(), diff)
		}
	}
	if good < 1000 || bad < 1000 {
		t.Errorf("got %d good rows and %d bad ones, want 1000 of each", good, bad)
	}
}
