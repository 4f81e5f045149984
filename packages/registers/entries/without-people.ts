/**
 * Replaces the names of natural persons among the holders of a register, and cuts people to write to off
 * the names of organisations. Only the register's files keep them.
 */
import { createHash } from 'node:crypto'
import { foldedWords, readPersonName, withoutContactPart } from '@baize/names'
import type { LicenseeRow, Reading } from '../stream.ts'
import { readingNotice } from './readings.ts'

/** The published name of a natural person, followed by her number in the register if it prints one. */
export const naturalPerson = 'Natural person'

const doubtfulNotice = 'may be a natural person: published as a company'

type PublishedBy = { language?: string | undefined; regulator_country_code: string }
/** `people_public_by` is the law that makes the names public, if staff stated one. */
type Facts = PublishedBy & { people_public_by?: string | undefined }

export async function* withoutPeople(
  readings: AsyncIterable<Reading>,
  { language = '', regulator_country_code, people_public_by }: Facts,
): AsyncGenerator<Reading, void> {
  const places = [language.split('-')[0] ?? '', regulator_country_code]
  const readName = (name: string) => readPersonName(name, places)
  const isPerson = (name: string) => readName(name) === 'person'
  for await (const reading of readings) {
    if (reading.record !== 'licensee') {
      yield withoutPeopleInKeys(reading, isPerson)
      continue
    }
    const legalName = withoutContactPart(reading.legalName)
    const recordKey = keyWithoutPeople(reading.recordKey, isPerson)
    const row = { ...reading, recordKey, legalName }
    const read = readName(legalName)
    if (read === 'doubtful') yield readingNotice(doubtfulNotice, legalName)
    if (read !== 'person') yield row
    else if (people_public_by !== undefined) yield { ...row, isPerson: true }
    else yield hidden(row, recordKey === reading.recordKey)
  }
}

/** Hides the people of `isPerson` in a row, whatever made their names public. */
export function withoutPerson(reading: Reading, isPerson: (name: string) => boolean): Reading {
  if (reading.record === 'notice')
    return reading.published !== undefined && isPerson(reading.published)
      ? { ...reading, published: naturalPerson }
      : reading
  if (reading.record !== 'licensee') return withoutPeopleInKeys(reading, isPerson)
  const recordKey = keyWithoutPeople(reading.recordKey, isPerson)
  const tradingNames = reading.tradingNames.filter(name => !isPerson(name))
  const row = { ...reading, recordKey, tradingNames }
  return isPerson(reading.legalName) ? hidden(row, recordKey === reading.recordKey) : row
}

function withoutPeopleInKeys(reading: Reading, isPerson: (name: string) => boolean): Reading {
  const key = (published: string) => keyWithoutPeople(published, isPerson)
  const keyOrNull = (published: string | null) => (published === null ? null : key(published))
  if (reading.record === 'license')
    return { ...reading, recordKey: key(reading.recordKey), licenseeKey: key(reading.licenseeKey) }
  if (reading.record !== 'authorisation') return reading
  return {
    ...reading,
    recordKey: key(reading.recordKey),
    licenseKey: keyOrNull(reading.licenseKey),
    licenseeKey: keyOrNull(reading.licenseeKey),
  }
}

function hidden(row: LicenseeRow, isKeyPublic: boolean): LicenseeRow {
  const number = row.registrationNumber ?? (isKeyPublic && /\d/.test(row.recordKey) ? row.recordKey : null)
  const words = new Set(foldedWords(row.legalName))
  return {
    ...row,
    legalName: number === null ? naturalPerson : `${naturalPerson} (register no. ${number})`,
    tradingNames: row.tradingNames.filter(name => !foldedWords(name).some(word => words.has(word))),
    isPerson: true,
  }
}

/** Replaces the names in a key, because a register without numbers identifies people by their names. */
export function keyWithoutPeople(key: string, isPerson: (name: string) => boolean): string {
  if (!key.includes(' ')) return key
  return key
    .split('|')
    .map(part => {
      const name = withoutContactPart(part)
      return isPerson(name) ? `person-${digestOf(name)}` : name
    })
    .join('|')
}

const digestOf = (name: string) =>
  createHash('sha256').update(foldedWords(name).join(' ')).digest('hex').slice(0, 16)
