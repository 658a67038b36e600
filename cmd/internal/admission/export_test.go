package admission

// Waiting is how many wait for a place.
func (p *Places) Waiting() (waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for e := p.waiting.Front(); e != nil; e = e.Next() {
		waiting += e.Value.(*share).waiting.Len()
	}
	return waiting
}

// Callers is how many callers are remembered.
func (p *Places) Callers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.callers)
}

// Used is the memory of the bodies that are there, and the number of callers that have one.
func (b *Bodies) Used() (memory int64, callers int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used, len(b.callers)
}

// Open is how many connections are open, and of how many addresses.
func (all *Connections) Open() (connections int64, addresses int) {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.open, len(all.addresses)
}
