package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.String("update", "", "write to testdata what the figures need of `FILE`, results that reproduce -save wrote")

// gzipped returns JSON lines as results are kept.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The results in testdata are those of the lines that are drawn; -update takes them anew. The other files are of:
//
//	compare -jobs 20 -nodes 4 -load 0.9 -policies fifo,fair,srpt -json -times=false -jobs-csv jobs.csv
//	compare -jobs 40 -nodes 4 -loads 0.5,0.9 -seeds 1-3 -policies fifo,fair,srpt -json -times=false
//
// and usage.csv and copies.csv, of 60 rows a policy, which were made up from jobs.csv.
func TestUpdate(t *testing.T) {
	if *update == "" {
		t.Skip("there is no -update")
	}
	lines, err := readLines(*update)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for _, l := range lines {
		drawn := false
		for _, q := range []query{queuesQuery, slackQuery} {
			drawn = drawn || q.has(&l, map[string]string{})
		}
		if !drawn || !l.Values.measured() {
			continue
		}
		if err := json.NewEncoder(&text).Encode(&l); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join("testdata", resultsFile), []byte(gzipped(t, text.String())), 0o644); err != nil {
		t.Fatal(err)
	}
}
