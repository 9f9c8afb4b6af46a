# Turns the comments of vqas.h into those that Doxygen reads.
1s#^/\*#/** @file vqas.h#
# Headings of sections stay as they are.
/^\/\* ----/b
2,$s#^/\* #/** #
# Behind members
s#\([;,]\|= [0-9]\+\) */\* #\1 /**< #
