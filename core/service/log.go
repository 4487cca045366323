package service

// Log records events for the operator of a service. The arguments after a message are alternating keys and values.
// *slog.Logger implements it.
type Log interface {
	Debug(message string, args ...any)
	Info(message string, args ...any)
	Warn(message string, args ...any)
	Error(message string, args ...any)
}

// DiscardLog is a Log that discards everything.
type DiscardLog struct{}

// Debug does nothing.
func (DiscardLog) Debug(string, ...any) {}

// Info does nothing.
func (DiscardLog) Info(string, ...any) {}

// Warn does nothing.
func (DiscardLog) Warn(string, ...any) {}

// Error does nothing.
func (DiscardLog) Error(string, ...any) {}
