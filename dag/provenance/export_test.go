package provenance

// Young is the number of predictions that were left out since the log ends too soon.
func (e *Evaluation) Young() int { return e.young }
