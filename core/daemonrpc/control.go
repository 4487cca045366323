package daemonrpc

import "glim/core/rpc"

// SetLogHashRateRequest selects whether the miner prints its hash rate.
type SetLogHashRateRequest struct {
	Visible bool `json:"visible"`
}

// SetLogHashRate shows or hides the miner's hash rate. It returns StatusNotMining if the miner is stopped. Restricted.
var SetLogHashRate = rpc.Method[SetLogHashRateRequest, Plain]{
	Name: "set_log_hash_rate", Wire: rpc.Path, Restricted: true,
}

// SetLogLevelRequest contains a level, from 0 (least) to 4 (most).
type SetLogLevelRequest struct {
	Level int8 `json:"level"`
}

// SetLogLevel sets how much the daemon logs. Restricted.
var SetLogLevel = rpc.Method[SetLogLevelRequest, Plain]{Name: "set_log_level", Wire: rpc.Path, Restricted: true}

// SetLogCategoriesRequest contains a comma-separated list of category:LEVEL.
type SetLogCategoriesRequest struct {
	Categories string `json:"categories"`
}

// SetLogCategoriesResponse contains the resulting list.
type SetLogCategoriesResponse struct {
	Common
	Categories string `json:"categories"`
}

// SetLogCategories sets what the daemon logs. Restricted.
var SetLogCategories = rpc.Method[SetLogCategoriesRequest, SetLogCategoriesResponse]{
	Name: "set_log_categories", Wire: rpc.Path, Restricted: true,
}

// SetBootstrapDaemonRequest selects a daemon that receives requests while this one synchronises; an empty address
// removes it.
type SetBootstrapDaemonRequest struct {
	Address  string `json:"address"` // host:port
	Username string `json:"username"`
	Password string `json:"password"`
	Proxy    string `json:"proxy"`
}

// SetBootstrapDaemonResponse reports whether it was set.
type SetBootstrapDaemonResponse struct {
	Status string `json:"status"`
}

// StatusText returns the status.
func (r SetBootstrapDaemonResponse) StatusText() string { return r.Status }

// SetBootstrapDaemon sets the daemon to which requests are forwarded. Restricted.
var SetBootstrapDaemon = rpc.Method[SetBootstrapDaemonRequest, SetBootstrapDaemonResponse]{
	Name: "set_bootstrap_daemon", Wire: rpc.Path, Restricted: true,
}

// StopDaemon stops the daemon after the response. Restricted.
var StopDaemon = rpc.Method[None, Plain]{Name: "stop_daemon", Wire: rpc.Path, Restricted: true}

// UpdateRequest selects whether to check for a release or to download it.
type UpdateRequest struct {
	Command string `json:"command"` // check, download or update
	Path    string `json:"path"`    // where to store it; empty for the default
}

// UpdateResponse describes the release found.
type UpdateResponse struct {
	Common
	Update  bool   `json:"update"`
	Version string `json:"version"`
	UserURI string `json:"user_uri"`
	AutoURI string `json:"auto_uri"`
	Hash    string `json:"hash"`
	Path    string `json:"path"`
}

// Update looks for a newer release of the daemon. Restricted.
var Update = rpc.Method[UpdateRequest, UpdateResponse]{Name: "update", Wire: rpc.Path, Restricted: true}
