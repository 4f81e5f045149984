/** How far a comparison goes; docs/search.md tells the same numbers. */

/** A text of more words is a sentence, and is searched as it is. */
export const comparedWordsMax = 16
/** Words within the errors forgiven that are taken for one of the text, the nearest first. */
export const misspellingsMax = 100
/** Longer words that begin with one of the text, and as many that contain it, the shortest first. */
export const longerFormsMax = 100
/** Whole names that the words may spell together: they stand first. Rows of further ones are found by the words, and stand behind. */
export const namesMax = 200
