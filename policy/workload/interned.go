package workload

// interned remembers some of the short texts that it has made of bytes, so that those which
// come again and again are seldom made anew.
type interned [1 << 10]string

func (in *interned) get(text []byte) string {
	if len(text) > 64 {
		return string(text)
	}
	hash := uint32(len(text))
	for _, c := range text {
		hash = (hash ^ uint32(c)) * 16777619
	}
	s := &in[hash>>22]
	if *s != string(text) {
		*s = string(text)
	}
	return *s
}
