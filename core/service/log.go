package service

// Log takes what is worth telling whoever runs a service; what follows a message is names and values in turn. A *slog.Logger is one.
type Log interface {
	Debug(message string, args ...any)
	Info(message string, args ...any)
	Warn(message string, args ...any)
	Error(message string, args ...any)
}

// Silence is a Log that nobody reads.
type Silence struct{}

// Debug does nothing.
func (Silence) Debug(string, ...any) {}

// Info does nothing.
func (Silence) Info(string, ...any) {}

// Warn does nothing.
func (Silence) Warn(string, ...any) {}

// Error does nothing.
func (Silence) Error(string, ...any) {}
