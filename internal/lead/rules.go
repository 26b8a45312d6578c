package lead

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// The rules of single fields: they validate phone numbers, email addresses, ZIP codes and states. To validate a phone number, other
// packages call Phone.

// validateZIP requires exactly five digits. A ZIP+4 gets its own message, because the fix is different.
func validateZIP(text string) (string, problemText) {
	switch {
	case len(text) == 5 && allDigits(text):
		return text, ""
	case zipPlusFour(text):
		return "", "more than five digits; send the first five digits only"
	}
	return "", "not five digits"
}

func zipPlusFour(text string) bool {
	text = strings.NewReplacer("-", "", " ", "").Replace(text)
	return len(text) == 9 && allDigits(text)
}

// notAPhone has the words that the published interface uses for this case of a 422.
const notAPhone problemText = "not a 10-digit US number"

// validatePhone checks the form of a phone number and normalizes it to E.164: ten digits after an optional 1 or +1, with spaces, dots,
// dashes and parentheses between them. It refuses what begins with + and another country code. Whether the number is in use in the
// United States is not checked here: one that is not (plausiblePhone), such as a Canadian one, is taken, and marksFor in decide.go marks it.
func validatePhone(text string) (string, problemText) {
	number, plus := make([]byte, 0, 16), false
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			number = append(number, byte(c))
		case c == '+' && !plus && len(number) == 0:
			plus = true
		case strings.ContainsRune(" .-()\u00a0", c) || unicode.Is(unicode.Pd, c): // web pages contain other dashes and spaces
		default:
			return "", notAPhone
		}
	}
	if plus || len(number) == 11 {
		var one bool
		if number, one = bytes.CutPrefix(number, []byte("1")); !one {
			return "", notAPhone
		}
	}
	if len(number) != 10 {
		return "", notAPhone
	}
	return "+1" + string(number), ""
}

func validateEmail(text string) (string, problemText) {
	local, domain, found := strings.Cut(text, "@")
	if !found || local == "" || domain == "" || strings.Contains(domain, "@") || strings.ContainsFunc(text, unicode.IsSpace) {
		return "", "not an email address"
	}
	return text, ""
}

func validateState(text string) (string, problemText) {
	code := strings.ToUpper(text)
	if len(text) != 2 || !strings.Contains(stateCodes, " "+code+" ") { // the original length, because some letters of other scripts have an ASCII upper case
		return "", "not a US state code"
	}
	return code, ""
}

// stateCodes are the codes of the Postal Service: states, DC, territories and associated states, military regions.
const stateCodes = " AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY" +
	" DC AS GU MP PR VI FM MH PW AA AE AP "

// ZIP parses a ZIP code, and reports whether it is valid.
func ZIP(text string) (string, bool) {
	zip, wrong := validateZIP(strings.TrimSpace(text))
	return zip, wrong == ""
}

// Email parses an email address, and reports whether it is valid.
func Email(text string) (string, bool) {
	address, wrong := validateEmail(strings.TrimSpace(text))
	return address, wrong == ""
}

// Phone parses a phone number in the form of the United States into E.164, and reports whether it is valid.
func Phone(text string) (string, bool) {
	phone, wrong := validatePhone(strings.TrimSpace(text))
	return phone, wrong == ""
}

// plausiblePhone reports whether an E.164 number can be one of the United States, by the rules of the North American Numbering Plan: area
// code and exchange begin with 2-9, and the area code is in use there, in a territory, or toll-free. Canadian numbers are not.
func plausiblePhone(e164 string) bool {
	ten := strings.TrimPrefix(e164, "+1")
	if len(ten) != 10 || ten[0] < '2' || ten[3] < '2' {
		return false
	}
	return strings.Contains(areaCodes, " "+ten[:3]+" ")
}

// FictionalPhone reports whether an E.164 number is reserved for fiction, so that no person can have it: 555-0100 to 555-0199 in any area
// code but the toll-free ones, where such numbers are in use.
func FictionalPhone(e164 string) bool {
	ten, american := strings.CutPrefix(e164, "+1")
	if !american || len(ten) != 10 || !allDigits(ten) {
		return false
	}
	tollFree := ten[0] == '8' && ten[1] == ten[2] // 800, 833, 844 and so on, those that are not in use yet included
	return !tollFree && ten[3:8] == "55501"
}

// areaCodes lists the area codes in use in the United States and its territories, by state, and the toll-free codes.
const areaCodes = " 205 251 256 334 659 938 907 480 520 602 623 928 327 479 501 870" +
	" 209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 837 840 858 909 916 925 949 951" +
	" 303 719 720 748 970 983 203 475 860 959 302 202 771" +
	" 239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954" +
	" 229 404 470 478 678 706 762 770 912 943 808 208 986" +
	" 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872 219 260 317 463 574 765 812 930" +
	" 319 515 563 641 712 316 620 785 913 270 364 502 606 859 225 318 337 457 504 985 207" +
	" 227 240 301 410 443 667 339 351 413 508 617 774 781 857 978 231 248 269 313 517 586 616 679 734 810 906 947 989" +
	" 218 320 507 612 651 763 924 952 228 471 601 662 769 235 314 417 557 573 636 660 816 975 406 308 402 531" +
	" 702 725 775 603 201 551 609 640 732 848 856 862 908 973 505 575" +
	" 212 315 329 332 347 363 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934" +
	" 252 336 472 704 743 828 910 919 980 984 701 216 220 234 283 326 330 380 419 436 440 513 567 614 740 937" +
	" 405 539 572 580 918 458 503 541 971 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878 401" +
	" 803 821 839 843 854 864 605 423 615 629 731 865 901 931" +
	" 210 214 254 281 325 346 361 409 430 432 469 512 621 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972 979" +
	" 385 435 801 802 276 434 540 571 686 703 757 804 826 948 206 253 360 425 509 564 304 681 262 274 353 414 534 608 715 920 307" +
	" 340 670 671 684 787 939 800 833 844 855 866 877 888 "

// parseNumber parses a JSON number, or a number as a person types it into a form.
func (f *Field) parseNumber(v Value) (parsed, problemText) {
	text := v.text
	switch v.kind {
	case number:
	case typed:
		if text = strings.TrimSpace(text); !typedNumber.MatchString(text) {
			return parsed{}, "not a number"
		}
		text = strings.ReplaceAll(text, ",", "")
	default:
		return parsed{}, wrongType(v, "a number")
	}
	n, err := strconv.ParseFloat(text, 64)
	if f.Kind == Whole && err == nil && !isWhole(text) {
		return parsed{}, "not a whole number"
	}
	if err != nil || n < float64(f.Min) || n > float64(f.Max) {
		return parsed{}, "out of range"
	}
	if f.Kind == Whole {
		return parsed{whole: new(int(n))}, ""
	}
	return parsed{num: new(n + 0)}, "" // + 0 turns -0 into 0
}

// isWhole accepts 3.0 and 20e-1 as whole numbers. It looks at the digits, because a float64 loses the fraction of
// 2.00000000000000000001 and turns 1e-400 into 0.
func isWhole(text string) bool {
	mantissa, power := text, ""
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		mantissa, power = text[:e], text[e+1:]
	}
	before, after, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	significant := strings.TrimRight(before+after, "0")
	if significant == "" || power == "" {
		return len(significant) <= len(before)
	}
	exponent, err := strconv.Atoi(power)
	if err != nil { // the exponent is out of range: huge and whole, or tiny
		return !strings.HasPrefix(power, "-")
	}
	return len(significant) <= len(before)+exponent
}

// typedNumber matches 2, 1.5, .5 and 1,200, and none of the other syntax that strconv would parse.
var typedNumber = regexp.MustCompile(`^-?((\d+|\d{1,3}(,\d{3})+)(\.\d*)?|\.\d+)$`)

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }
