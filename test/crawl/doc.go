// Package crawl reads the pages of the running program by following every link, as a search engine does.
//
// The crawler runs no scripts and has no list of pages: it reads what is linked, so a new page must follow the same rules
// from its first day. test/browser checks what a page looks like and how it behaves, and takes its list of pages from here.
package crawl
