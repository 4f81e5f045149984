/** Reads arguments that an operator typed; throws a StaffError if one is invalid. */
import { StaffError } from '../core/staff-error.ts'

export function oneOf<Word extends string>(option: string, words: readonly Word[], text: string): Word {
  const word = words.find(each => each === text)
  if (word === undefined) throw new StaffError(`${option} must be one of ${words.join(', ')}.`)
  return word
}

export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new StaffError(`${name} must be a whole number, not "${text}".`)
  return Number(text)
}

/** Error for a file that cannot be read: `await stat(file).catch(unreadable(file))`. */
export function unreadable(file: string): (error: NodeJS.ErrnoException) => never {
  return error => {
    if (error instanceof StaffError) throw error
    const problem = error.code === 'ENOENT' ? 'no such file' : error.message
    throw new StaffError(`${file}: ${problem}`, { cause: error })
  }
}
