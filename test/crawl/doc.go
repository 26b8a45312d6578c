// Package crawl reads the pages of the running program by following every link, as a search engine does.
//
// It runs no scripts and knows no page by heart: what is linked is read, so a new page is held to the same rules on the
// day it appears. What a page looks like, and how it behaves, is for test/browser, which takes its list of pages from here.
package crawl
