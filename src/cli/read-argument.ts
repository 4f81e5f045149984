/** What an operator typed; a StaffError where it is not what the command takes. */
import { StaffError } from '../core/staff-error.ts'

export function oneOf<Word extends string>(option: string, words: readonly Word[], text: string): Word {
  const word = words.find(each => each === text)
  if (word === undefined) throw new StaffError(`${option} is one of ${words.join(', ')}.`)
  return word
}

export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new StaffError(`${name} takes a whole number, not "${text}".`)
  return Number(text)
}

/** What to throw where a file that was named cannot be read: `await stat(file).catch(unreadable(file))`. */
export function unreadable(file: string): (error: NodeJS.ErrnoException) => never {
  return error => {
    if (error instanceof StaffError) throw error
    const told = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new StaffError(`${file}: ${told}`, { cause: error })
  }
}
