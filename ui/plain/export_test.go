package plain

var OnlyText = onlyText
