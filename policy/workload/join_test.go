package workload_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// Tasks are in one table, and the names of their jobs in another one.
func ExampleJoin() {
	const tasks, names = "id,t,d\n7,0,3\n7,0,5\n8,1,1\n", "number,name,at\n8,report,1\n7,index,0\n"
	read := func(text, columns string) *trace.Reader {
		r, err := trace.NewReader("table", strings.NewReader(text), trace.ReaderConfig{Columns: columns})
		if err != nil {
			log.Fatal(err)
		}
		return r
	}
	jobs, err := workload.ReadAll(read(tasks, "job=id,id=id,submit=t,runtime=d").Jobs())
	if err != nil {
		log.Fatal(err)
	}
	jobs, found, err := workload.Join(jobs, read(names, "id=number,program=name,submit=at,start=at,end=at").Jobs(), "id")
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range jobs {
		program, _ := j.Attr("program")
		fmt.Println(program, j.Runtimes)
	}
	fmt.Println("found:", found)
	// Output:
	// index [[3s 5s]]
	// report [[1s]]
	// found: 2
}

// Join does as if each job were compared with all others, and changes no job that it is given.
func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int, names string) []*workload.Job {
		var jobs []*workload.Job
		for i := range n {
			j := jobtest.Bag(policy.JobID(i+1), 0, s)
			for _, name := range names {
				if rng.IntN(4) > 0 {
					j.Attrs = append(j.Attrs, policy.Attr{Name: string(name), Value: strconv.Itoa(rng.IntN(6))})
				}
			}
			j.Attrs = slices.Grow(j.Attrs, rng.IntN(5)) // room that another job must not write to
			jobs = append(jobs, j)
		}
		return jobs
	}
	for round := range 100 {
		jobs, others := random(rng.IntN(8), "kab"), random(rng.IntN(8), "kbc")
		before := jobtest.Text(t, jobs...)
		want, wantFound := []*workload.Job{}, 0
		for _, j := range jobs {
			w := *j
			w.Attrs = slices.Clone(j.Attrs)
			key, ok := j.Attr("k")
			for _, other := range others {
				if value, has := other.Attr("k"); ok && has && key == value {
					wantFound++
					for _, a := range other.Attrs {
						if _, has := j.Attr(a.Name); !has {
							w.Attrs = append(w.Attrs, a)
						}
					}
					break
				}
			}
			want = append(want, &w)
		}
		got, found, err := workload.Join(jobs, workload.Of(others), "k")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" || found != wantFound {
			t.Fatalf("round %d: found %d, want %d; (-want +got):\n%s", round, found, wantFound, diff)
		}
		if !bytes.Equal(before, jobtest.Text(t, jobs...)) {
			t.Fatalf("round %d: the jobs were changed", round)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	if _, _, err := workload.Join(nil, workload.Of(nil), ""); err == nil || !strings.Contains(err.Error(), "without a name") {
		t.Errorf("no key: error %v", err)
	}
	want := errors.New("torn")
	if jobs, found, err := workload.Join([]*workload.Job{jobtest.Bag(1, 0, s)}, jobtest.Failing(want), "k"); err != want || jobs != nil || found != 0 {
		t.Errorf("a source that fails: got %v, %d, error %v, want none and %v", jobs, found, err, want)
	}
}
