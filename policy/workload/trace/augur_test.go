package trace_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

func TestAugur(t *testing.T) {
	const stage = `"stages":[{"tasks":1,"cores":1}],"runtimes":[[1000000000]]`
	first := jobtest.Bag(1, 0, s)
	for _, test := range []struct {
		name, text string
		want       []*workload.Job
	}{
		{"IDs with gaps", `{"id":1,` + stage + "}\n" + `{"id":268435456,` + stage + `}`, []*workload.Job{first, jobtest.Bag(1<<28, 0, s)}},
		{"the largest times", `{"id":1,"submitted":-1000000000000000000,"stages":[{"tasks":1,"cores":1}],"runtimes":[[1000000000000000000]]}`, []*workload.Job{jobtest.Bag(1, -1e18, 1e18)}},
		{"as written", string(jobtest.Text(t, jobtest.Full(3))), []*workload.Job{jobtest.Full(3)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := jobtest.All(t, reader(t, []byte(test.text), trace.ReaderConfig{Format: "augur"}).Jobs())
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// row returns a row with the ID 5, the fields in front of the others.
func row(fields string) string {
	return `{` + fields + `"id":5,"stages":[{"tasks":2,"cores":1}],"runtimes":[[1,2]]}`
}

const (
	noJSON  = "not a job in JSON of the format augur"
	invalid = "the job is not valid"
	badID   = "ID does not increase, or is above 2^28"
)

func TestAugurBadRows(t *testing.T) {
	good, next := string(jobtest.Text(t, jobtest.Bag(3, 0, s))), string(jobtest.Text(t, jobtest.Bag(7, 0, s)))
	badRows(t, trace.ReaderConfig{Format: "augur"}, strings.TrimSpace(good), 1, strings.TrimSpace(next), []badRow{
		{"not JSON", "0 1 1 1", noJSON, "json: cannot unmarshal number into Go value of type workload.Job"},
		{"unknown field", row(`"colour":1,`), noJSON, `json: unknown field "colour"`},
		{"a long culprit is cut", row(`"` + strings.Repeat("€", 1000) + `":1,`), noJSON, `json: unknown field "` + strings.Repeat("€", (200-21)/3) + " ..."},
		{"a key twice", row(`"id":4,`), noJSON, `key "id" comes twice`},
		{"a key twice after an object", `{"stages":[{"tasks":1,"cores":1}],"id":5,"runtimes":[[1]] , "stages" : [{"tasks":1,"cores":1}]}`, noJSON, `key "stages" comes twice`},
		{"a key in another case", `{"ID":5,"stages":[{"tasks":1,"cores":1}],"runtimes":[[1]]}`, noJSON, `key "ID" is not in lower case`},
		{"a key with another s", row(`"ſubmitted":5,`), noJSON, `key "ſubmitted" is not in lower case`},
		{"a key with an escape", row(`"\u0069d":5,`), noJSON, `key "\\u0069d" is not in lower case`},
		{"two on a line", row("") + row(""), noJSON, "more follows on the line"},
		{"a bracket too much", row("") + "}", noJSON, "more follows on the line"},

		{"same ID again", strings.TrimSpace(good), badID, "3 after 3"},
		{"ID above 2^28", `{"id":268435457,"stages":[{"tasks":1,"cores":1}],"runtimes":[[1]]}`, badID, "268435457 after 3"},

		{"submitted late", row(`"submitted":1000000000000000001,`), "submission is beyond 1e9 s", "1e+09 s"},
		{"deadline late", row(`"slo":{"deadline":2000000000000000000,"utility":1},`), "deadline is beyond 1e9 s", "2e+09 s"},
		{"runtime long", `{"id":5,"stages":[{"tasks":2,"cores":1}],"runtimes":[[1,5000000000000000000]]}`, "runtime is above 1e9 s", "stage 0, task 1: 5e+09 s"},

		// What policy.Job and workload.Job refuse: the ID is not taken by such a row.
		{"a stage that reads itself", `{"id":9,"stages":[{"tasks":1,"cores":1,"reads":[{"stage":0}]}],"runtimes":[[1]]}`, invalid, "policy: job 9: dag: cycle through [0]"},

		{"too many parts", `{"id":5,"stages":[` + strings.Repeat("{},", 1<<18) + `{}]}`, "more than 2^18 objects, arrays and nulls", "262147"},
	})
}

func augurRoundTrip(t *testing.T) {
	want := append(jobtest.Generate(t, 300), jobtest.Full(301))
	bare := jobtest.Bag(1000, 0, s)
	bare.Inputs, bare.SLO = &policy.Inputs{}, &policy.SLO{}
	want = append(want, bare)
	text := jobtest.Text(t, want...)
	if n := bytes.Count(text, []byte("\n")); n != len(want) {
		t.Errorf("got %d lines, want %d", n, len(want))
	}
	for _, text := range [][]byte{text, gzipped(t, text)} {
		if diff := cmp.Diff(want, jobtest.All(t, reader(t, text, trace.ReaderConfig{}).Jobs())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// What a reader would refuse, Write refuses, and writes nothing of it.
func TestWriteRefuses(t *testing.T) {
	year := jobtest.Bag(4, 0, s)
	year.At = jobtest.Full(1).At.AddDate(9000, 0, 0)
	long, stages := jobtest.Bag(4, 0, s), jobtest.Bag(4, 0, s)
	long.Queue = strings.Repeat("x", 1<<24)
	for range 1 << 17 {
		stages.Stages = append(stages.Stages, stages.Stages[0])
		stages.Runtimes = append(stages.Runtimes, stages.Runtimes[0])
	}
	for _, test := range []struct {
		name string
		job  *workload.Job
		want string
	}{
		{"not valid", jobtest.Bag(4, 0), "policy: job 4, stage 0: 0 tasks, want at least 1"},
		{"same ID", jobtest.Bag(3, 0, s), "trace: job 3: ID does not increase, or is above 2^28: 3 after 3"},
		{"ID above 2^28", jobtest.Bag(1<<28+1, 0, s), "trace: job 268435457: ID does not increase, or is above 2^28: 268435457 after 3"},
		{"late", jobtest.Bag(4, 1e18+1, s), "trace: job 4: submission is beyond 1e9 s: 1e+09 s"},
		{"long", jobtest.Bag(4, 0, s, 2e18), "trace: job 4: runtime is above 1e9 s: stage 0, task 1: 2e+09 s"},
		{"year 11026", year, "trace: job 4: json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]"},
		{"parts", stages, "trace: job 4: more than 2^18 objects, arrays and nulls: 262149"},
		{"row too long", long, `trace: job 4: the row is longer than 2^24 bytes: it begins with "{\"id\":4,\"submitted\":0,\"stages\":[{\"tasks\""`},
	} {
		var text bytes.Buffer
		good := jobtest.Bag(3, 0, s)
		err := trace.Write(&text, workload.Of([]*workload.Job{good, test.job, jobtest.Bag(4, 0, s)}))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got error %v, want %s", test.name, err, test.want)
		}
		if want := jobtest.Text(t, good); !bytes.Equal(text.Bytes(), want) {
			t.Errorf("%s: got %d bytes written, want the %d of the job before", test.name, text.Len(), len(want))
		}
	}
	for name, err := range map[string]error{"to nothing": trace.Write(nil, workload.Of(nil)), "of nothing": trace.Write(io.Discard, nil)} {
		if err == nil || !strings.Contains(err.Error(), "that is nil") {
			t.Errorf("%s: got error %v, want one that says what is nil", name, err)
		}
	}
}

func TestWritePassesErrorsOn(t *testing.T) {
	r, w := io.Pipe()
	gone := errors.New("the disk is full")
	r.CloseWithError(gone)
	if err := trace.Write(w, workload.Of(jobtest.Generate(t, 2))); !errors.Is(err, gone) {
		t.Errorf("got error %v, want %v", err, gone)
	}
	if err := trace.Write(io.Discard, jobtest.Failing(gone)); err != gone {
		t.Errorf("a source that fails: got error %v, want %v", err, gone)
	}
}
