package walletrpc

import "glim/core/rpc"

// SetDaemonRequest describes the daemon to connect to.
type SetDaemonRequest struct {
	Address  string `json:"address"`  // host:port or a URL; empty for none
	Username string `json:"username"` // of the daemon's login
	Password string `json:"password"`
	// allow operations that rely on the daemon's word
	Trusted                bool     `json:"trusted"`
	SSLSupport             string   `json:"ssl_support" default:"autodetect"` // disabled, enabled, autodetect
	SSLPrivateKeyPath      string   `json:"ssl_private_key_path"`
	SSLCertificatePath     string   `json:"ssl_certificate_path"`
	SSLCAFile              string   `json:"ssl_ca_file"`
	SSLAllowedFingerprints []string `json:"ssl_allowed_fingerprints"` // SHA-256, hex
	SSLAllowAnyCert        bool     `json:"ssl_allow_any_cert"`
	Proxy                  string   `json:"proxy"` // SOCKS host:port for this daemon
}

// SetDaemon changes the daemon until the wallet is closed. Every wallet that is opened or created, this one included,
// starts with the daemon of the command line. Errors: CodeNoDaemonConnection for invalid settings,
// CodeProxyAlreadyDefined.
var SetDaemon = rpc.Method[SetDaemonRequest, Empty]{Name: "set_daemon", Restricted: true}

// StartMiningRequest configures the daemon's miner.
type StartMiningRequest struct {
	ThreadsCount       uint64 `json:"threads_count"`        // at least 1
	DoBackgroundMining bool   `json:"do_background_mining"` // mine only while the machine is idle
	IgnoreBattery      bool   `json:"ignore_battery"`
}

// StartMining makes the daemon mine to the wallet's primary address. Errors: CodeUnknown.
var StartMining = rpc.Method[StartMiningRequest, Empty]{Name: "start_mining", Restricted: true}

// StopMining stops the daemon's miner. Errors: CodeUnknown.
var StopMining = rpc.Method[Empty, Empty]{Name: "stop_mining", Restricted: true}

// SetLogLevelRequest is a log level.
type SetLogLevelRequest struct {
	Level int8 `json:"level"` // 0 (least) to 4 (most)
}

// SetLogLevel changes the log level of the service. It needs no open wallet. Errors: CodeInvalidLogLevel.
var SetLogLevel = rpc.Method[SetLogLevelRequest, Empty]{Name: "set_log_level", Restricted: true}

// SetLogCategoriesRequest sets log levels by category.
type SetLogCategoriesRequest struct {
	Categories string `json:"categories"` // category:LEVEL, comma separated
}

// SetLogCategoriesResponse is the resulting setting.
type SetLogCategoriesResponse struct {
	Categories string `json:"categories"`
}

// SetLogCategories changes the log levels of categories. It needs no open wallet.
var SetLogCategories = rpc.Method[SetLogCategoriesRequest, SetLogCategoriesResponse]{
	Name: "set_log_categories", Restricted: true,
}

// GetVersionResponse is the version of this interface.
type GetVersionResponse struct {
	Version uint32 `json:"version"` // major in the upper 16 bits, minor in the lower
	Release bool   `json:"release"` // built from a release
}

// GetVersion returns the version of the interface. It needs no open wallet.
var GetVersion = rpc.Method[Empty, GetVersionResponse]{Name: "get_version"}
