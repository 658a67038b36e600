package client

import "testing"

func TestAPlainConnectionLeadsToThisMachineWhateverItsNameWasResolvedTo(t *testing.T) {
	for address, allowed := range map[string]bool{"127.0.0.1:80": true, "[::1]:80": true, "10.0.0.1:80": false, "[2001:db8::1]:80": false, "odd": false} {
		if err := onlyLoopback(t.Context(), "tcp", address, nil); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	if newTransport(nil, true).DialContext == nil {
		t.Error("it does not dial itself")
	}
	if _, err := newTransport(nil, true).DialContext(t.Context(), "tcp", "192.0.2.1:80"); err == nil {
		t.Error("it dialed another machine")
	}
}
