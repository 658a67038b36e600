package store

// AllRecords is the limit that Records takes for no limit.
const AllRecords = -1
