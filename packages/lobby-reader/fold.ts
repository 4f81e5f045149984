import { foldedWords } from '@baize/names'

/** Folds a text, so that words compare alike in all scripts. */
export const fold = (text: string): string => foldedWords(text).join(' ')
