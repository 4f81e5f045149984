/** Limits of the search for similar words; docs/search.md has the same numbers, and a test compares. */

/** Longer texts are sentences, and are not compared. */
export const comparedWordsMax = 16
export const misspellingsMax = 100
/** Longer words that begin with a word, and as many that contain it, the shortest first. */
export const longerFormsMax = 100
/** Whole names that the words may spell; rows of further names are found by words, and rank lower. */
export const namesMax = 200
