package value

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files of the present version are kept. To write one again gives the same bytes: who changes what is written changes the
// number of the version too.
func TestFilesOfThisVersion(t *testing.T) {
	profiles := func(own, aggregate [5]float64) map[string]Profile {
		return map[string]Profile{
			"t0": {Jobs: 7, Valid: 5, Own: Summary{5, 18, 5, own[0]}, Aggregate: Summary{5, 54, 5, aggregate[0]}, WithDependents: 2, TimeToDependency: 120e9},
			"t1": {Jobs: 6, Valid: 5, Own: Summary{5, 22, 3, own[1]}, Aggregate: Summary{5, 66, 6, aggregate[1]}, WithDependents: 2, TimeToDependency: 120e9},
			"t2": {Jobs: 7, Valid: 6, Own: Summary{6, 20, 3.5, own[2]}, Aggregate: Summary{6, 60, 6.5, aggregate[2]}, WithDependents: 4, TimeToDependency: 120e9},
			"u1": {Jobs: 10, Valid: 8, Own: Summary{8, 19, 3, own[3]}, Aggregate: Summary{8, 57, 7, aggregate[3]}, WithDependents: 8, TimeToDependency: 60e9},
			"u3": {Jobs: 10, Valid: 8, Own: Summary{8, 21, 4.5, own[4]}, Aggregate: Summary{8, 63, 7.5, aggregate[4]}, WithDependents: 8, TimeToDependency: 180e9},
		}
	}
	for _, test := range []struct {
		name   string
		ratios bool
		want   map[string]Profile
	}{
		{"ratio-of-medians", false, profiles(
			[5]float64{3.6, 7.333333333333333, 5.714285714285714, 6.333333333333333, 4.666666666666667},
			[5]float64{10.8, 11, 9.23076923076923, 8.142857142857142, 8.4})},
		{"median-of-ratios", true, profiles(
			[5]float64{3.6, 5.333333333333333, 5.366666666666667, 4.875, 5.428571428571429},
			[5]float64{12, 10.5, 8.2, 8.020833333333332, 10.012987012987013})},
	} {
		present, err := os.ReadFile(filepath.Join("testdata", test.name+".v2"))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Load(bytes.NewReader(present))
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !bytes.Equal(saved(t, s), present) || s.ratios != test.ratios {
			t.Errorf("%s is written otherwise than it was read", test.name)
		}
		got := maps.Collect(s.Templates())
		maps.Insert(got, s.Users())
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
