/** The registration number and the address that follow a company's name in a sentence. */
import type { Place } from './place-words.ts'

const numberGapMax = 40
const addressCharactersMax = 200
const addressCharactersMin = 8

const fillers = 'is|no|nr|n°|nº|number|num|č|бр|№|of|the|under|with|ist|on|er|är|je|e|\\p{Lu}\\p{Ll}+'
/** Up to four groups of digits, of letters before them the register's. */
const number = String.raw`(?:[A-Z]{1,4}[\s.-]?)?\d[\dA-Z./-]*(?:\s\d{2,}[\d/-]*){0,4}`
const numberPattern = new RegExp(String.raw`^[\s:#.№()'’"–-]*(?:(?:${fillers})[\s.:]+)*(${number})`, 'u')

export type RegistrationNumber = Place & { number: string }

/** `C 44618`, `HRB 12345`, `05.12345`; null: nothing like a number follows the words. */
export function numberAfter(text: string, end: number, taken: readonly Place[]): RegistrationNumber | null {
  const rest = text.slice(end, end + numberGapMax)
  const found = numberPattern.exec(rest)
  const written = found?.[1]?.replace(/[./-]+$/, '')
  if (found === null || written === undefined || written.replaceAll(/\D/g, '').length < 3) return null
  const start = end + found[0].length - (found[1] as string).length
  const isTaken = taken.some(place => place.start < start + written.length && place.end > start)
  return isTaken ? null : { number: written, start, end: start + written.length }
}

/** `number 154834 at Zuikertuintjeweg`: the position after `at`. */
export function addressWordAfter(text: string, number: RegistrationNumber): Place | null {
  const found = /^[,)]?\s+(?:and\s+)?at\s/.exec(text.slice(number.end, number.end + numberGapMax))
  return found === null ? null : { start: number.end, end: number.end + found[0].length }
}

/** Up to the next phrase or name, or the end of the sentence; null: that is no address. */
export function addressAfter(text: string, end: number, stops: readonly Place[]): string | null {
  const next = Math.min(...stops.filter(({ start }) => start >= end).map(({ start }) => start), text.length)
  const bounded = text.slice(end, Math.min(next, end + addressCharactersMax))
  const isCut = next > end + addressCharactersMax && text.length > end + addressCharactersMax
  if (isCut) return null
  const words = bounded.replace(/^[\s:(,-]+/u, '').split(/\s+/)
  while (words.length > 0 && isTrailing(words.at(-1) as string)) words.pop()
  const address = words.join(' ').replace(/[\s,;.()–-]+$/u, '')
  const isAddress = address.length >= addressCharactersMin && /\d|,/.test(address) && /\p{Lu}/u.test(address)
  return isAddress ? address : null
}

/** What leads to the next phrase: `, and`, `which is`, `(the`. */
const isTrailing = (word: string): boolean => /^[^\p{L}\p{N}]*(?:\p{Ll}[\p{Ll}\p{P}]*)?$/u.test(word)
