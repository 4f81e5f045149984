/** docs/search.md has the same numbers, and a test compares them. */

/** Longer texts are sentences, and are not compared. */
export const comparedWordsMax = 16
export const misspellingsMax = 100
/** Longer words that begin with a word, and as many that contain it, the shortest first. */
export const longerFormsMax = 100
/** Rows with further names are found by their words, and rank lower. */
export const namesMax = 200
