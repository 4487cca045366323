package lws

// LimitCalls changes the limits of calls that wait.
func (b *Book) LimitCalls(perURL, all int) { b.calls.perURL, b.calls.all = perURL, all }
