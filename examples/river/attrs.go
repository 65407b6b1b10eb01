package augurriver

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/riverqueue/river/rivertype"

	"example.com/augur/predict"
)

// attributes returns the attributes of a job: its kind, and the fields of its arguments that are strings, numbers or booleans.
func attributes(job *rivertype.JobRow) predict.Job {
	attrs := make(predict.Attrs)
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(job.EncodedArgs))
	d.UseNumber() // 1e6 and 1000000 differ, but a long ID keeps its digits
	if d.Decode(&fields) == nil {
		for name, value := range fields {
			switch v := value.(type) {
			case string:
				attrs[name] = v
			case json.Number:
				attrs[name] = v.String()
			case bool:
				attrs[name] = strconv.FormatBool(v)
			}
		}
	}
	attrs["kind"] = job.Kind
	return attrs
}
