package webhook_test

import (
	"strings"
	"testing"

	"foyer/internal/webhook"
)

// hostile lists addresses that must be rejected: internal ones in every notation, and ones that cannot be a buyer's.
var hostile = []string{
	"", "buyer.example.com/leads", "//buyer.example.com/leads", "/leads", "https:", "https://", "https:///leads", "https:buyer.example.com", "https://?x",
	"http://buyer.example.com/leads", "ftp://buyer.example.com/leads", "file:///etc/passwd", "gopher://buyer.example.com/", "javascript:alert(1)",
	"https://user:" + canary + "@buyer.example.com/", "https://user@buyer.example.com/", "https://@buyer.example.com/",
	"https://buyer.example.com/#top", "https://buyer.example.com/leads#", "https://buyer.example.com:0/", "https://buyer.example.com:65536/", "https://buyer.example.com:https/",
	"https://127.0.0.1", "https://127.0.0.1:8443/", "https://127.1", "https://127.0.0.1./", "https://0.0.0.0", "https://2130706433", "https://0177.0.0.1",
	"https://0x7f.1", "https://0x7f000001", "https://0x7f.0x0.0x0.0x1", "https://127%2e0.0.1", "https://１２７.0.0.1", "https://①②⑦.0.0.1",
	"https://localhost", "https://LOCALHOST.", "https://foyer.localhost", "https://db", "https://metadata/",
	"https://10.0.0.1", "https://172.16.0.1", "https://172.31.255.255", "https://192.168.1.1", "https://100.64.0.1", "https://100.100.100.200",
	"https://169.254.169.254/latest/meta-data/", "https://168.63.129.16", "https://192.0.0.192", "https://198.18.0.1", "https://203.0.113.1",
	"https://224.0.0.1", "https://239.255.255.250", "https://240.0.0.1", "https://255.255.255.255",
	"https://[::1]", "https://[::]", "https://[::1]:443/", "https://[::127.0.0.1]", "https://[::ffff:127.0.0.1]", "https://[::ffff:7f00:1]", "https://[::ffff:8.8.8.8]",
	"https://[64:ff9b::7f00:1]", "https://[64:ff9b::8.8.8.8]", "https://[64:ff9b:1::7f00:1]", "https://[2002:7f00:1::]", "https://[2001:0:7f00:1::]", "https://[2001:db8::1]",
	"https://[fd00::1]", "https://[fd00:ec2::254]", "https://[fe80::1]", "https://[fe80::1%25eth0]", "https://[fec0::1]", "https://[ff02::1]", "https://[100::1]", "https://[5f00::1]",
	"https://buyer.example.com /", "https://buyer example.com/", "https://buyer.example.com\r\nX: y/", "https://buyer.exam\tple.com/", "https://bücher.example.com/", "https://[127.0.0.1]/", "https://[/",
	"https://buyer.example.com/" + strings.Repeat("x", 2048),
}

func TestHostileAddresses(t *testing.T) {
	s := newSender(t, false)
	for _, url := range hostile {
		err := webhook.CheckURL(url, false)
		switch {
		case err == nil:
			t.Errorf("%s: accepted", url)
			continue
		case strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: the error is %q", url, err)
		}
		if out := send(t, s, message(url)); out.Failure != webhook.RefusedAddress || out.Sent || out.Detail != err.Error() {
			t.Errorf("%s: got %+v", url, out)
		}
	}
}

func TestValidAddresses(t *testing.T) {
	for _, url := range []string{
		"https://buyer.example.com", "https://buyer.example.com/", "https://buyer.example.com/leads?token=1&x=%20", "HTTPS://Buyer.Example.COM./leads",
		"https://buyer.example.com:8443/leads", "https://buyer.example.com:/leads", "https://xn--bcher-kva.example.com/", "https://a_b.example.com/",
		"https://4.example.com", "https://8.8.8.8/leads", "https://[2606:4700:4700::1111]:8443/leads",
	} {
		for _, private := range []bool{false, true} {
			if err := webhook.CheckURL(url, private); err != nil {
				t.Errorf("%s, private %t: %v", url, private, err)
			}
		}
	}
}

// An operator may allow buyers in their own network. Invalid addresses are rejected even then.
func TestPrivateAddresses(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:9000/leads", "https://10.0.0.1", "http://localhost:9000", "http://crm/leads", "http://[::1]:9000", "https://[fe80::1%25eth0]/"} {
		if err := webhook.CheckURL(url, true); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"", "/leads", "http://", "http://.", "ftp://crm/", "http://user:pass@crm/", "http://crm/#x", "http://crm:99999/", "http://c r m/", "http://bücher/"} {
		if err := webhook.CheckURL(url, true); err == nil {
			t.Errorf("%s: accepted", url)
		}
	}
}

func TestErrorsSayWhatIsAccepted(t *testing.T) {
	for url, want := range map[string]string{
		"buyer.example.com":              "give a whole address such as https://buyer.example.com/leads",
		"http://buyer.example.com":       "the address must begin with https://",
		"https://u:p@buyer.example.com/": "the address must not hold a user name or a password: requests are signed instead",
		"https://10.0.0.1/?token=1":      "10.0.0.1 is not a public address; the host must be a public name such as buyer.example.com, or a public IP address",
		"https://localhost/":             "the host of the address must be a public name such as buyer.example.com, in ASCII (xn-- for other letters), or a public IP address",
	} {
		if err := webhook.CheckURL(url, false); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", url, err, want)
		}
	}
}
