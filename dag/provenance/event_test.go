package provenance

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainEvents are such as scanEvent must read.
var plainEvents = []string{
	`{}`,
	`{"eventType":"START","eventTime":"2020-11-04T13:00:00Z","run":{"runId":"a"},"job":{"namespace":"n","name":"j"},"inputs":[],"outputs":[]}`,
	` { "eventTime" : "2020-11-04T13:00:00Z" , "run" : { "facets" : { } , "runId" : "é" } , "job":{"name":"j ☃"},"inputs":[ {"namespace":"s3","name":"f"} , {} ] } `,
	`{"run":{"runId":"a","facets":{"errorMessage":{"message":"no such file","stackTrace":"a\nb"},"nominalTime":{"x":null}}},"eventType":"FAIL","producer":"http:\/\/x\u00e9\t"}`,
	`{"job":{"facets":{"ownership":{"owners":[{"name":"ann","type":"MAINTAINER"},{"type":"\"X\""},{}],"_producer":"p"},"sql":{"query":"SELECT \\ 1"}},"name":"j"},"x":[-0,10.5e+3,1E-2,0.25,true,false,null,[[]],{"a":{"b":[]}}]}`,
	`{"run":{"facets":{"airflow":{"task":{"owner":"a\u0062","priority_weight":2.5,"x":[]},"dag":{"Task":1}}}}}`,
	`{"run":{"facets":{"airflow": {"task":{"owner":1}} }}}`,
	`{"run":{"facets":{"airflow": [1] ,"errorMessage":{}}}}`,
	`{"run":{"facets":{"airflow":null,"processing":{}}}}`,
	`{"outputs":[{"name":"g","facets":{"schema":{"fields":[{"name":"c","type":"string"},{"name":"d"}]}},"outputFacets":{"n":12}}]}`,
}

// oddEvents are such as it must leave to encoding/json.
var oddEvents = []string{
	``, `null`, `[]`, `"x"`, `{`, `{"run"}`, `{"run":}`, `{"run":{}`, `{} {}`, `{"a":1,}`, `{,}`, `{"a" 1}`, `{"a":01}`, `{"a":1.}`, `{"a":-}`,
	`{"a":1e}`, `{"a":+1}`, `{"a":tru}`, `{"a":[1,]}`, `{"a":[1 2]}`, `{"a":"\x"}`, `{"a":"\u12g4"}`, `{"a":"\u12`, "{\"a\":\"\n\"}", `{"a":"\`,
	`{"eventType":null}`, `{"eventType":1}`, `{"run":[]}`, `{"run":null}`, `{"inputs":{}}`, `{"inputs":[null]}`, `{"inputs":[1]}`,
	`{"eventType":"START","eventType":"FAIL"}`, `{"inputs":[],"inputs":[{"name":"f"}]}`, `{"EventType":"START"}`, `{"run":{"RUNID":"a"}}`,
	`{"eventtype":"START"}`, "{\"j\u00f6b\":1}", `{"\u0072un":{"runId":"a"}}`, `{"run":{"runId":"a\u0062"}}`, "{\"run\":{\"runId\":\"\xff\"}}",
	`{"dataset":{}}`, "{\"output\u017f\":[{\"name\":\"f\"}]}", `{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`,
}

// checkScan holds what scanEvent reads against encoding/json.
func checkScan(t *testing.T, text []byte) (scanned bool) {
	t.Helper()
	got, ok := scanEvent(text)
	if !ok {
		return false
	}
	var want runEvent
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatalf("%q was read, want %v", text, err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(eventJob{})); diff != "" {
		t.Fatalf("%q: -want +got:\n%s", text, diff)
	}
	return true
}

func TestScanEvent(t *testing.T) {
	for _, text := range plainEvents {
		if !checkScan(t, []byte(text)) {
			t.Errorf("gave up on %s", text)
		}
	}
	for _, text := range oddEvents {
		if checkScan(t, []byte(text)) {
			t.Errorf("did not give up on %q", text)
		}
	}
}

// Events that are changed in a few places are read as encoding/json reads them, or not.
func TestScanEventOfChangedTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	parts := []string{`"`, `\`, `,`, `:`, `{`, `}`, `[`, `]`, ` `, `null`, `0`, `1`, `-`, `.`, `e`, `\u00e9`, "\x00", "\xc3", `"name":"x",`, `"NAME":"x",`, `"run":{},`, `{"name":"y"},`}
	scanned, tries := 0, 100_000
	if testing.Short() {
		tries /= 5
	}
	for range tries {
		text := plainEvents[1+rng.IntN(len(plainEvents)-1)]
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(text) + 1)
			to := min(len(text), at+rng.IntN(3))
			text = text[:at] + parts[rng.IntN(len(parts))] + text[to:]
		}
		if checkScan(t, []byte(text)) {
			scanned++
		}
	}
	t.Logf("%d of %d texts were read", scanned, tries)
	if scanned < tries/50 || scanned > tries/2 {
		t.Errorf("%d of %d texts were read, want some and not most", scanned, tries)
	}
}

func FuzzScanEvent(f *testing.F) {
	for _, text := range append(plainEvents, oddEvents...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkScan(t, text) })
}
