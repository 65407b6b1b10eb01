package dag

// An Algebra says how the weights of edges make those of paths, and the weights of paths between
// two nodes one weight for the pair. With two functions and the weights of the edges it is what
// a question about indirect dependencies has to say: how much of a job's value comes from here,
// how many hops lie between, which is the narrowest point on the way.
//
//   - Along gives the weight of a path that is made of two, the one nearer to its beginning first.
//     It must be associative: (a b) c = a (b c).
//   - Across gives the weight of two sets of paths taken together. It must be associative and
//     commutative, since paths have no order.
//   - Along must distribute over Across, on both sides: a (b + c) = ab + ac and (a + b) c = ac + bc.
//     Then the paths need not be walked one by one.
//
// Sums and products of floats keep to these laws but for rounding. [SumProduct], [MaxPlus] and
// [MinPlus] are ready-made. Both functions must depend on nothing but their arguments. What breaks a
// law gives weights that depend on how the paths were put together, and nothing else tells.
//
// # Source
//
// Wing, section 4.4: Across and Along are its p_op and e_op, [Walk].Weight is its wt_fn, and its
// ds_op is a loop of the caller over what [Walker.From] finds. The paper asks for less of them:
// commutativity, and an associative e_op, are implied by what it does.
type Algebra[W any] struct {
	Along  func(first, rest W) W
	Across func(a, b W) W
}

// SumProduct adds up, over the paths, the products of the weights along each. With the weights of
// [Shares] that is the share of a node's value that comes from another node; with weights of 1,
// the number of paths.
func SumProduct[W Weight]() Algebra[W] {
	return Algebra[W]{
		Along:  func(first, rest W) W { return first * rest },
		Across: func(a, b W) W { return a + b },
	}
}

// MaxPlus is the length of the longest path. With weights of 1 it counts hops.
func MaxPlus[W Weight]() Algebra[W] {
	return Algebra[W]{
		Along:  func(first, rest W) W { return first + rest },
		Across: func(a, b W) W { return max(a, b) },
	}
}

// MinPlus is the length of the shortest path. With weights of 1 it counts hops.
func MinPlus[W Weight]() Algebra[W] {
	return Algebra[W]{
		Along:  func(first, rest W) W { return first + rest },
		Across: func(a, b W) W { return min(a, b) },
	}
}

// Shares returns the weight 1/N of an edge of g, where N is the number of edges to the node to
// which it leads. So what a node is worth is divided equally among those that it has been made from.
// Of what is no edge it says nothing, and it panics if To is not a node.
//
// With [SumProduct] the weight of a pair is then at most 1: it is the probability to come by the
// one if, from the other, one goes back along an edge that is drawn at random, and so on.
//
// # Source
//
// Wing, section 4.5.2.
func Shares(g *Graph) func(e Edge) float64 {
	return func(e Edge) float64 { return 1 / float64(len(g.In(e.To))) }
}
